// The exact optimum of a support vector regression, enclosed and proven in ball arithmetic.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "kernels/rigor/ball_vector.hpp"
#include "kernels/svr/solver.hpp"

namespace attest::svr {

/// A Problem (see problem.hpp) whose data are enclosures; the true kernel matrix is positive semidefinite.
struct BallProblem {
  rigor::BallMatrix gram;     ///< n x n
  rigor::BallVector targets;  ///< length n
  rigor::Ball epsilon;        ///< >= 0; exactly 0 removes the tube
  rigor::Ball box;            ///< C > 0; not finite for the hard-margin problem
  bool with_bias = true;
};

/// Where beta_i lies: which equation the optimality conditions give for it.
enum class Place { lower_bound, negative, zero, positive, upper_bound };

/// The places of a solver's answer for the box it was given.
std::vector<Place> places(const Solution& solution, double box);

/// An enclosure of an optimal dual point, with proof.
struct Optimum {
  rigor::BallVector beta;    ///< alpha - alpha~; exactly +-C and 0 at those places
  rigor::Ball bias;          ///< b; 0 without a bias
  rigor::BallVector fitted;  ///< K beta + b
};

/// Solves the equations that `places` give (y_i - f(x_i) = +-epsilon at the free samples, sum beta = 0 with a bias) and
/// verifies every remaining optimality condition with certainty, which proves the enclosed point optimal. `bias_hint`
/// is taken for b when no sample is free, where b is not unique. Empty when the balls cannot prove it: wrong places, a
/// singular system, or a degenerate optimum (a sample whose condition holds with equality). Errors:
/// std::invalid_argument when lengths disagree.
std::optional<Optimum> enclose_optimum(const BallProblem& problem, std::span<const Place> places, double bias_hint = 0);

}  // namespace attest::svr
