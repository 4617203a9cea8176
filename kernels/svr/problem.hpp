// Epsilon-insensitive support vector regression of one scalar target.
#pragma once

#include <limits>
#include <vector>

#include "kernels/svr/gram.hpp"

namespace attest::svr {

/// Value of `box` for the hard-margin problem: every residual must lie inside the tube.
inline constexpr double hard_margin = std::numeric_limits<double>::infinity();

/// Primal, over w in the feature space, bias b and slacks xi, xi~ >= 0:
///
///   minimise 1/2 |w|^2 + C sum_i (xi_i + xi~_i)
///   subject to y_i - <w, Psi_i> - b <= epsilon + xi_i  and  <w, Psi_i> + b - y_i <= epsilon + xi~_i.
///
/// Dual, in beta = alpha - alpha~ (alpha_i alpha~_i = 0 at an optimum, so alpha = max(beta, 0), alpha~ = max(-beta,
/// 0)):
///
///   minimise 1/2 beta' K beta - y' beta + epsilon |beta|_1   subject to |beta_i| <= C  and, with a bias, sum beta_i =
///   0,
///
/// where K_ij = <Psi_i, Psi_j>. The optimal w is sum_i beta_i Psi_i. Source: A. Smola and B. Schoelkopf, A tutorial on
/// support vector regression (2004), Eqs 3 and 10; A Primal-Dual Framework for Transformers, Eq 5, one output
/// dimension.
struct Problem {
  Gram gram;                    ///< K, n x n, positive semidefinite
  std::vector<double> targets;  ///< y, length n, finite
  double epsilon = 0.0;         ///< half width of the tube, >= 0, finite
  double box = hard_margin;     ///< C > 0; `hard_margin` asks for residuals inside the tube without slack
  bool with_bias = true;        ///< false fixes b = 0; the dual then has no constraint on the sum of beta
};

/// Checks the ranges stated at each member. Errors: std::invalid_argument naming the member and its value.
void validate(const Problem& problem);

}  // namespace attest::svr
