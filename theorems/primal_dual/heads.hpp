// Attention with vector values and several heads, each with its own keys: Eqs 2, 3, 18 and 25 for doubles and balls.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "theorems/primal_dual/finite_features.hpp"
#include "theorems/primal_dual/keys.hpp"

namespace attest::primal_dual {

/// sum_j weights_j v_j for values v_j in R^{D_v} given row by row.
template <class Real>
std::vector<Real> weighted_rows(std::span<const Real> weights, std::span<const Real> rows) {
  const std::size_t columns = rows.size() / weights.size();
  std::vector<Real> out(columns, Real(0));
  for (std::size_t j = 0; j < weights.size(); ++j) {
    for (std::size_t d = 0; d < columns; ++d) out[d] += weights[j] * rows[j * columns + d];
  }
  return out;
}

/// Eq 4 with w of Eq 8, and Eq 10, for one output dimension and b = 0: training points k_j and input x as they stand
/// before Phi, multipliers beta_j = alpha_j - alpha~_j, features cut at the map's degree and h(x) = sum_j Phi(x)'
/// Phi(k_j). `factor` multiplies the values v_j = beta_j / h(k_j) of the expansion.
template <class Real>
std::pair<Real, Real> layer_and_expansion(const FiniteFeatures& map, const Keys<Real>& points, std::span<const Real> x,
                                          std::span<const Real> beta, double factor = 1) {
  const auto phi = map.of_rows(points);
  const auto phi_x = map(x);
  const Real h_x = normaliser(phi_x, phi);
  std::vector<Real> w(map.size(), Real(0));
  Real expansion(0);
  for (std::size_t j = 0; j < points.size(); ++j) {
    const Real h = normaliser(phi[j], phi);
    for (std::size_t l = 0; l < w.size(); ++l) w[l] += beta[j] * phi[j][l] / h;
    expansion += inner_product(phi_x, phi[j]) / h_x * (Real(factor) * beta[j] / h);
  }
  return {inner_product(w, phi_x) / h_x, expansion};
}

/// Size of the terms of both sides above for |x_d|, |k_j(d)| <= 1.5, D = 2, degree 2 and N <= 4 multipliers of at most
/// 3: features are at most 1.6 in size, kernels at most 1 + 3.2 + 5.1 and at least 1/2, h at least N/2.
inline constexpr double layer_scale = 3 * 9.3 * 4;
/// Six features, four keys: about 100 roundings on the way, amplified by no more than kernel over least kernel.
inline constexpr double layer_rounding = 100 * 20 * 0x1p-53;

}  // namespace attest::primal_dual
