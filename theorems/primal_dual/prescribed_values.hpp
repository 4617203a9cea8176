// The inverse construction: the regression problem of which given attention values are the solution.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "theorems/engine/claim.hpp"
#include "theorems/primal_dual/keys.hpp"

namespace attest::primal_dual {

/// How the targets are made from the values; the defaults are the theorem, the rest serves near-misses.
struct TargetRule {
  double tube = 1;                 ///< y_j = f(k_j) + tube * epsilon * sign(v_j)
  bool values_as_targets = false;  ///< y_j = v_j instead
};

/// The check of: for all keys, values v, epsilon > 0 and C >= max_j h(k_j) |v_j|, the expansion f with values v solves
/// Eq 5 (b = 0) for the targets y_j = f(k_j) + epsilon sign(v_j): its primal and dual values agree and no perturbation
/// lowers the primal.
///
/// Proof: beta_j = h(k_j) v_j satisfies |beta_j| <= C, and a residual of epsilon sign(beta_j) is what the optimality
/// conditions ask for at 0 < |beta_j| < C and allow at |beta_j| = C and at 0.
engine::Check prescribed_values_are_optimal(const TargetRule& rule);

/// W x for W given row by row.
template <class Real>
std::vector<Real> projected(const std::vector<Real>& w, std::span<const Real> x) {
  std::vector<Real> out;
  for (std::size_t r = 0; r < w.size() / x.size(); ++r) {
    out.push_back(inner_product(std::span<const Real>(w).subspan(r * x.size(), x.size()), x));
  }
  return out;
}

/// W x_j for all rows x_j, row by row.
template <class Real>
std::vector<Real> projected_rows(const Keys<Real>& tokens, const std::vector<Real>& w) {
  std::vector<Real> rows;
  for (std::size_t j = 0; j < tokens.size(); ++j) {
    const auto row = projected(w, tokens.row(j));
    rows.insert(rows.end(), row.begin(), row.end());
  }
  return rows;
}

}  // namespace attest::primal_dual
