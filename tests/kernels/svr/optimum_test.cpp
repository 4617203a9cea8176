#include "kernels/svr/optimum.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/rounding.hpp"

namespace attest::svr {
namespace {

using rigor::Ball;
using rigor::BallVector;

/// 1/2 beta' K beta + C sum max(|y - K beta - b| - epsilon, 0); without a box the point is inside the tube.
Ball primal_objective(const BallProblem& problem, std::span<const Ball> beta, const Ball& bias) {
  const BallVector predicted = rigor::multiply(problem.gram, beta);
  Ball objective = rigor::dot(predicted, beta) / Ball(2);
  if (!problem.box.is_finite()) return objective;
  for (std::size_t i = 0; i < beta.size(); ++i) {
    const Ball residual = problem.targets[i] - predicted[i] - bias;
    objective += problem.box * rigor::max(rigor::abs(residual) - problem.epsilon, Ball(0));
  }
  return objective;
}

/// y' beta - epsilon |beta|_1 - 1/2 beta' K beta.
Ball dual_objective(const BallProblem& problem, std::span<const Ball> beta) {
  const BallVector predicted = rigor::multiply(problem.gram, beta);
  return rigor::dot(problem.targets, beta) - problem.epsilon * rigor::norm1(beta) -
         rigor::dot(predicted, beta) / Ball(2);
}

using rigor::Ball;

// Kernel exp(-|i - j|) with exact entries as enclosures, and the nearest doubles for the solver.
struct Chain {
  explicit Chain(std::size_t n) : gram(n, n), targets(n), rounded(n * n) {
    for (std::size_t i = 0; i < n; ++i) {
      targets[i] = std::cos(1.7 * static_cast<double>(i));
      for (std::size_t j = 0; j < n; ++j) {
        const double distance = std::abs(static_cast<double>(i) - static_cast<double>(j));
        gram(i, j) = rigor::exp(Ball(-distance));
        rounded[i * n + j] = std::exp(-distance);
      }
    }
  }
  rigor::BallMatrix gram;
  std::vector<double> targets;
  std::vector<double> rounded;
};

TEST(SvrOptimum, is_proven_and_has_equal_objectives_in_every_form_of_the_problem) {
  constexpr std::size_t n = 12;
  const Chain chain(n);
  // The optimality residual, through the inverse of exp(-|i - j|), whose norm is (1 + 1/e)/(1 - 1/e), and the bias.
  const double beta_error = 2 * 2.2 * Options().tolerance;
  // Quadratic in the former, so that the roundings of n^2 terms are left; in balls at most 28 of 128 bits.
  constexpr double objective_rounding = 4 * n * n * tests::unit_roundoff, narrow = 0x1p-100;
  for (const bool with_bias : {false, true}) {
    for (const double box : {0.1, 0.7, hard_margin}) {
      for (const double epsilon : {0.0, 0.2}) {
        SCOPED_TRACE(testing::Message() << "bias " << with_bias << ", C " << box << ", epsilon " << epsilon);
        Problem rounded{Gram::dense(n, chain.rounded), chain.targets, epsilon, box, with_bias};
        const Solution solution = solve(rounded);
        const BallProblem exact{chain.gram, rigor::to_balls(chain.targets), Ball(epsilon), Ball(box), with_bias};
        const auto optimum = enclose_optimum(exact, places(solution, box), solution.bias);
        ASSERT_TRUE(optimum.has_value());
        for (std::size_t i = 0; i < n; ++i)
          EXPECT_NEAR(optimum->beta[i].mid(), solution.beta[i], beta_error * solution.scale);
        const Ball primal = primal_objective(exact, optimum->beta, optimum->bias);
        const Ball dual = dual_objective(exact, optimum->beta);
        EXPECT_LE(rigor::abs(primal - dual).upper(), narrow);
        EXPECT_NEAR(primal.mid(), solution.dual, objective_rounding * solution.scale);
      }
    }
  }
}

TEST(SvrOptimum, is_not_proven_for_wrong_places) {
  constexpr std::size_t n = 6;
  const Chain chain(n);
  Problem rounded{Gram::dense(n, chain.rounded), chain.targets, 0.2, 0.7, false};
  auto claimed = places(solve(rounded), 0.7);
  const BallProblem exact{chain.gram, rigor::to_balls(chain.targets), Ball(0.2), Ball(0.7), false};
  ASSERT_TRUE(enclose_optimum(exact, claimed).has_value());
  for (auto& place : claimed) {
    const Place kept = place;
    for (const Place other : {Place::lower_bound, Place::negative, Place::zero, Place::positive, Place::upper_bound}) {
      place = other;
      EXPECT_EQ(enclose_optimum(exact, claimed).has_value(), other == kept);
    }
    place = kept;
  }
}

TEST(SvrOptimum, refuses_lengths_that_disagree) {
  const Chain chain(3);
  const BallProblem exact{chain.gram, rigor::to_balls(chain.targets), Ball(0.2), Ball(0.7), false};
  EXPECT_THROW(enclose_optimum(exact, std::vector<Place>(2, Place::zero)), std::invalid_argument);
}

}  // namespace
}  // namespace attest::svr
