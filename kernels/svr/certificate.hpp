// Rigorous bound on how far a dual point is from the optimum of a support vector regression.
#pragma once

#include <span>

#include "kernels/svr/problem.hpp"
#include "kernels/svr/solver.hpp"

namespace attest::rigor {
class Ball;
}

namespace attest::svr {

/// Bounds that hold for certain, evaluated in ball arithmetic from exact inputs; every member is rounded to its safe
/// side.
struct Certificate {
  double gap = 0.0;           ///< upper bound on primal(w, b) - optimum and on optimum - dual(beta); >= 0
  double primal_upper = 0.0;  ///< upper bound on primal(w, b), w = sum beta_i Psi_i
  double dual_lower = 0.0;    ///< lower bound on dual(beta)
  double stationarity = 0.0;  ///< upper bound on the violation of the optimality conditions, in units of the targets
  double violation = 0.0;  ///< box = hard_margin: upper bound on max(|y_i - f(x_i)| - epsilon, 0); 0 for a finite box
  double repair = 0.0;     ///< with a bias: upper bound on the change of one beta_i that made their sum exactly 0
};

/// Certifies `beta` (clipped to the box, then repaired to sum 0 when there is a bias) and `bias` for the problem with
/// kernel matrix `gram` (n * n balls, row-major; the true matrix lies in them and is positive semidefinite), `targets`,
/// `epsilon`, `box`, `with_bias` as in Problem.
///
/// The gap is the sum of the terms C max(|r_i| - epsilon, 0) + epsilon |beta_i| - beta_i r_i >= 0, r = y - K beta - b;
/// by weak duality the optimum lies between dual and primal. Without a box the primal point may leave the tube by
/// `violation`; gap, primal and dual are then those of the problem with tube epsilon + violation, for which it is
/// feasible.
/// Precision: that of the thread (rigor::PrecisionScope). Errors: std::invalid_argument when lengths disagree.
Certificate certify(std::span<const rigor::Ball> gram, std::span<const double> targets, double epsilon, double box,
                    bool with_bias, std::span<const double> beta, double bias);

/// The same for the exact double entries of `problem.gram`, which must be positive semidefinite as they stand.
Certificate certify(Problem& problem, const Solution& solution);

}  // namespace attest::svr
