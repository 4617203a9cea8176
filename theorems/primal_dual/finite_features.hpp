// Eq 4 with the feature map cut at a degree, so that weights are finite vectors and can be written out.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "kernels/svr/feature_map.hpp"
#include "theorems/primal_dual/keys.hpp"
#include "theorems/primal_dual/monomials.hpp"

namespace attest::primal_dual {

/// Phi_T(x) of Eq 12 for doubles (svr::FeatureMap) and for balls (Monomials): two evaluations of one definition.
class FiniteFeatures {
 public:
  FiniteFeatures(std::size_t dimension, unsigned degree)
      : dimension_(dimension),
        doubles_(dimension, degree, std::pow(static_cast<double>(dimension), -0.25)),
        balls_(dimension, degree) {}

  std::size_t size() const { return balls_.size(); }
  std::vector<double> operator()(std::span<const double> x) const { return doubles_(x); }
  std::vector<rigor::Ball> operator()(std::span<const rigor::Ball> x) const {
    return balls_(x, fourth_root_scale(dimension_));
  }
  /// Phi_T(k_1), ..., Phi_T(k_N) for keys given row by row.
  template <class Real>
  std::vector<std::vector<Real>> of_rows(const Keys<Real>& keys) const {
    std::vector<std::vector<Real>> rows;
    for (std::size_t j = 0; j < keys.size(); ++j) rows.push_back((*this)(keys.row(j)));
    return rows;
  }

 private:
  std::size_t dimension_;
  svr::FeatureMap doubles_;
  Monomials balls_;
};

/// sum_i a_i b_i of two feature vectors.
template <class Real>
Real inner_product(const std::vector<Real>& a, const std::vector<Real>& b) {
  return inner_product(std::span<const Real>(a), std::span<const Real>(b));
}

/// h(x) = sum_j Phi_T(x)' Phi_T(k_j) from written-out features.
template <class Real>
Real normaliser(const std::vector<Real>& phi_x, const std::vector<std::vector<Real>>& phi_keys) {
  Real sum(0);
  for (const auto& phi_k : phi_keys) sum += inner_product(phi_x, phi_k);
  return sum;
}

/// The doubles of a span as Real.
template <class Real>
std::vector<Real> as(std::span<const double> values) {
  return {values.begin(), values.end()};
}

}  // namespace attest::primal_dual
