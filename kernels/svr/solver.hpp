// Solver for the support vector regression dual: decomposition to find the active set, then Newton steps on it.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/svr/problem.hpp"

namespace attest::svr {

/// How a solve ended. None of them is an error: the caller decides what a partial answer is worth.
enum class Status {
  converged,      ///< the optimality residual is below the tolerance
  not_converged,  ///< the iteration limit came first
  infeasible      ///< box = hard_margin and no function of the space passes through the tube: the dual has no minimiser
};

/// Limits of a solve.
struct Options {
  /// Largest accepted optimality residual (see Solution::residual), relative to Solution::scale.
  double tolerance = 1e-13;
  /// Limit on decomposition steps, each of cost O(n); 0 stands for 1000 n + 100000.
  std::int64_t iterations = 0;
};

/// A dual point with everything that can be read off it.
struct Solution {
  std::vector<double> beta;         ///< alpha - alpha~, within the box; sums to 0 up to rounding when there is a bias
  std::vector<double> alpha;        ///< max(beta, 0)
  std::vector<double> alpha_tilde;  ///< max(-beta, 0)
  std::vector<double> fitted;       ///< (K beta)_i + bias, the regression function at the samples
  double bias = 0.0;                ///< b; 0 without a bias; the middle of the optimal interval when b is not unique
  double primal =
      0.0;            ///< primal objective at w = sum beta_i Psi_i; infinite when box is and a residual leaves the tube
  double dual = 0.0;  ///< dual objective, -(1/2 beta' K beta - y' beta + epsilon |beta|_1) <= optimum <= primal
  double gap = 0.0;   ///< primal - dual as a sum of non-negative terms (no cancellation), in double precision
  double residual = 0.0;          ///< largest violation of the optimality conditions, in units of y
  double scale = 0.0;             ///< max_i (|y_i| + sum_j |K_ij beta_j|) + epsilon: what `residual` is compared with
  std::int64_t iterations = 0;    ///< decomposition steps taken
  std::int64_t newton_steps = 0;  ///< steps of the active-set polish
  Status status = Status::not_converged;
};

/// Minimises the dual of `problem` (see Problem). The Gram matrix is taken by reference in the problem because reading
/// a column may compute it.
///
/// Method: sequential minimal optimisation with second-order working set selection (pairs with a bias, single
/// coordinates without), then a primal active-set method whose Newton systems are solved by an eigendecomposition, so
/// that rank deficient kernels and duplicated samples are handled; repeated at tighter tolerances until the residual is
/// below `options.tolerance * scale`. Deterministic: no random choice, ties go to the smallest index. The gap is
/// rounded arithmetic; `certify` bounds it rigorously. Errors: std::invalid_argument from `validate`.
Solution solve(Problem& problem, const Options& options = {});

}  // namespace attest::svr
