// One output dimension of the regression problem Eq 5 on attention keys: solved in doubles, and exactly.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "kernels/svr/optimum.hpp"
#include "theorems/engine/inputs.hpp"
#include "theorems/primal_dual/keys.hpp"

namespace attest::primal_dual {

/// Data of Eq 5 for one output dimension d: keys k_j in R^D, targets y_j(d), epsilon and C. The feature is
/// Psi(x) = Phi(x) / h(x) with Phi of Eq 12 and h of Eq 11, both fixed by the keys.
struct Regression {
  std::vector<double> keys;     ///< N x D, row by row
  std::size_t dimension = 2;    ///< D
  std::vector<double> targets;  ///< N
  double epsilon = 0.1;
  double box = svr::hard_margin;  ///< C
  bool with_bias = true;          ///< false: b = 0 is fixed in Eq 5, as in Theorem 1

  std::size_t samples() const { return targets.size(); }
};

/// The regression stored in inputs "keys", "targets", "epsilon" and "C" (hard margin where there is no "C").
/// Errors: std::invalid_argument when a length does not fit.
Regression regression(const engine::Inputs& inputs, std::size_t samples, std::size_t dimension, bool with_bias);

/// The solver's answer; empty when it did not converge (the hard-margin problem may be out of numerical reach) or when
/// rounding could have put a sample in the wrong place (a degenerate optimum), so that no exact statement is made of
/// it.
std::optional<svr::Solution> solve(const Regression& data);

/// The exact problem (the kernel matrix enclosed from the keys) with its proven optimum.
struct ExactRegression {
  svr::BallProblem problem;
  svr::Optimum optimum;
  std::vector<svr::Place> places;

  /// |w|^2 = beta' K beta.
  rigor::Ball weight_norm_squared() const;
  /// sum_j (xi_j + xi~_j): the part of the residuals beyond the tube, at the samples in the box's bounds.
  rigor::Ball slack() const;
};

/// Solves and proves. Empty when the balls cannot prove the solver's active set (a degenerate optimum, or no solution).
std::optional<ExactRegression> solve_exactly(const Regression& data);

}  // namespace attest::primal_dual
