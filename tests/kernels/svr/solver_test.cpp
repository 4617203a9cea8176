#include "kernels/svr/solver.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/rounding.hpp"

namespace attest::svr {
namespace {

// Deterministic points that look random enough for a kernel: fractional parts of multiples of the golden ratio.
double weyl(std::size_t i) { return std::fmod(0.6180339887498949 * static_cast<double>(i + 1), 1.0) * 2 - 1; }

std::vector<double> exponential_gram(const std::vector<double>& points) {
  const std::size_t n = points.size();
  std::vector<double> gram(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) gram[i * n + j] = std::exp(points[i] * points[j]);
  }
  return gram;
}

std::vector<double> weyl_points(std::size_t n, std::size_t from = 0) {
  std::vector<double> points(n);
  for (std::size_t i = 0; i < n; ++i) points[i] = weyl(from + i);
  return points;
}

/// How far what a solution says of itself may be from what is summed here again: the residual that it was accepted
/// with, and ten times that for sums of its terms in another order.
double slack_of(const Solution& solution) { return 10 * Options{}.tolerance * solution.scale; }

// Optimality conditions written out from the definition, independently of the solver's own residual.
void expect_optimal(Problem& problem, const Solution& solution) {
  ASSERT_EQ(solution.status, Status::converged);
  const double slack = slack_of(solution);
  double sum = 0;
  for (std::size_t i = 0; i < problem.targets.size(); ++i) {
    double fitted = solution.bias;
    for (std::size_t j = 0; j < problem.targets.size(); ++j) fitted += problem.gram.column(j)[i] * solution.beta[j];
    EXPECT_NEAR(fitted, solution.fitted[i], slack);
    const double residual = problem.targets[i] - fitted;
    const double beta = solution.beta[i];
    EXPECT_LE(std::abs(beta), problem.box);
    EXPECT_EQ(solution.alpha[i] * solution.alpha_tilde[i], 0.0);
    EXPECT_EQ(solution.alpha[i] - solution.alpha_tilde[i], beta);
    const double side = beta > 0 ? 1.0 : -1.0;
    if (beta == 0) {
      EXPECT_LE(std::abs(residual), problem.epsilon + slack) << "sample " << i;
    } else if (std::abs(beta) == problem.box) {
      EXPECT_GE(side * residual, problem.epsilon - slack) << "sample " << i;
    } else {
      EXPECT_NEAR(side * residual, problem.epsilon, slack) << "sample " << i;
    }
    sum += beta;
  }
  if (problem.with_bias) {
    EXPECT_NEAR(sum, 0.0, slack);
  } else {
    EXPECT_EQ(solution.bias, 0.0);
  }
}

TEST(SvrSolver, soft_thresholds_a_single_target_without_bias) {
  // minimise k/2 beta^2 - y beta + epsilon |beta| gives beta = (y - epsilon)/k = (3 - 0.5)/2.
  Problem problem{Gram::dense(1, {2.0}), {3.0}, 0.5, 10.0, false};
  const Solution solution = solve(problem);
  EXPECT_EQ(solution.status, Status::converged);
  EXPECT_DOUBLE_EQ(solution.beta[0], 1.25);
  EXPECT_DOUBLE_EQ(solution.primal, 0.5 * 2.0 * 1.25 * 1.25);
  EXPECT_DOUBLE_EQ(solution.dual, solution.primal);
}

TEST(SvrSolver, stops_at_the_box_and_pays_the_rest_as_slack) {
  Problem problem{Gram::dense(1, {2.0}), {-3.0}, 0.5, 1.0, false};
  const Solution solution = solve(problem);
  EXPECT_EQ(solution.beta[0], -1.0);
  EXPECT_EQ(solution.alpha_tilde[0], 1.0);
  EXPECT_EQ(solution.alpha[0], 0.0);
  // w'w/2 = 1 and the residual is -3 + 2 = -1, half of which lies in the tube.
  EXPECT_DOUBLE_EQ(solution.primal, 1.0 + 1.0 * 0.5);
  EXPECT_DOUBLE_EQ(solution.dual, solution.primal);
}

TEST(SvrSolver, returns_zero_for_targets_inside_the_tube) {
  Problem problem{Gram::dense(2, {2.0, 1.0, 1.0, 2.0}), {0.4, -0.5}, 0.5, 1.0, false};
  const Solution solution = solve(problem);
  EXPECT_EQ(solution.beta, (std::vector<double>{0.0, 0.0}));
  EXPECT_EQ(solution.gap, 0.0);
  EXPECT_EQ(solution.status, Status::converged);
}

TEST(SvrSolver, fits_one_sample_by_the_bias_alone) {
  Problem problem{Gram::dense(1, {2.0}), {3.0}, 0.5, 1.0, true};
  const Solution solution = solve(problem);
  EXPECT_EQ(solution.beta[0], 0.0);
  EXPECT_DOUBLE_EQ(solution.bias, 3.0);  // the middle of [2.5, 3.5]
  EXPECT_EQ(solution.primal, 0.0);
}

TEST(SvrSolver, splits_two_targets_around_the_bias) {
  // beta = (t, -t): minimise t^2 (k11 + k22 - 2 k12)/2 - t (y1 - y2) + 2 epsilon t = t^2 - 3 t.
  Problem problem{Gram::dense(2, {2.0, 1.0, 1.0, 2.0}), {4.0, 0.0}, 0.5, 10.0, true};
  const Solution solution = solve(problem);
  EXPECT_DOUBLE_EQ(solution.beta[0], 1.5);
  EXPECT_DOUBLE_EQ(solution.beta[1], -1.5);
  EXPECT_DOUBLE_EQ(solution.bias, 2.0);
  EXPECT_DOUBLE_EQ(solution.primal, 2.25);
  EXPECT_DOUBLE_EQ(solution.dual, 2.25);
}

TEST(SvrSolver, meets_the_optimality_conditions_on_an_ill_conditioned_kernel) {
  for (const bool with_bias : {false, true}) {
    for (const double box : {0.01, 1.0, 100.0, 1e5}) {
      for (const double epsilon : {0.0, 0.05, 0.3}) {
        Problem problem{Gram::dense(20, exponential_gram(weyl_points(20))), weyl_points(20, 100), epsilon, box,
                        with_bias};
        SCOPED_TRACE(testing::Message() << "bias " << with_bias << ", C " << box << ", epsilon " << epsilon);
        expect_optimal(problem, solve(problem));
      }
    }
  }
}

TEST(SvrSolver, interpolates_when_the_box_is_removed_and_the_tube_has_no_width) {
  for (const bool with_bias : {false, true}) {
    Problem problem{Gram::dense(6, exponential_gram(weyl_points(6))), weyl_points(6, 50), 0.0, hard_margin, with_bias};
    const Solution solution = solve(problem);
    expect_optimal(problem, solution);
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(solution.fitted[i], problem.targets[i], slack_of(solution));
  }
}

TEST(SvrSolver, handles_rank_deficient_kernels) {
  // Linear kernel x_i x_j of rank 1 on 12 points.
  const auto points = weyl_points(12);
  std::vector<double> gram(144);
  for (std::size_t i = 0; i < 12; ++i) {
    for (std::size_t j = 0; j < 12; ++j) gram[i * 12 + j] = points[i] * points[j];
  }
  for (const bool with_bias : {false, true}) {
    Problem problem{Gram::dense(12, gram), weyl_points(12, 30), 0.1, 2.0, with_bias};
    expect_optimal(problem, solve(problem));
  }
}

TEST(SvrSolver, handles_duplicated_samples_with_contradicting_targets) {
  const std::vector<double> points{0.5, 0.5, -0.25, -0.25, 0.5};
  for (const bool with_bias : {false, true}) {
    Problem problem{Gram::dense(5, exponential_gram(points)), {1.0, -1.0, 0.5, 0.5, 1.0}, 0.1, 3.0, with_bias};
    expect_optimal(problem, solve(problem));
  }
}

TEST(SvrSolver, handles_the_zero_kernel) {
  Problem no_bias{Gram::dense(3, std::vector<double>(9, 0.0)), {1.0, -1.0, 0.05}, 0.1, 3.0, false};
  const Solution at_bounds = solve(no_bias);
  EXPECT_EQ(at_bounds.beta, (std::vector<double>{3.0, -3.0, 0.0}));
  // Two residuals of 0.9 and their sum, times 3.
  EXPECT_NEAR(at_bounds.primal, 3.0 * 1.8, 4 * tests::unit_roundoff * 6);
  Problem with_bias{Gram::dense(3, std::vector<double>(9, 0.0)), {1.0, -1.0, 0.05}, 0.1, 3.0, true};
  expect_optimal(with_bias, solve(with_bias));
}

TEST(SvrSolver, reports_a_tube_that_no_function_meets) {
  Problem problem{Gram::dense(2, {1.0, 1.0, 1.0, 1.0}), {1.0, -1.0}, 0.1, hard_margin, false};
  const Solution solution = solve(problem);
  EXPECT_EQ(solution.status, Status::infeasible);
  EXPECT_FALSE(std::isfinite(solution.primal));
}

TEST(SvrSolver, reports_an_iteration_limit_as_a_status) {
  Problem problem{Gram::dense(20, exponential_gram(weyl_points(20))), weyl_points(20, 100), 0.05, 1e6, true};
  Options options;
  options.iterations = 1;
  options.tolerance = 0.0;
  EXPECT_EQ(solve(problem, options).status, Status::not_converged);
}

TEST(SvrSolver, computes_columns_on_demand_with_the_same_bits) {
  const auto points = weyl_points(15);
  const auto gram = exponential_gram(points);
  Problem dense{Gram::dense(15, gram), weyl_points(15, 7), 0.1, 5.0, true};
  std::vector<double> diagonal(15);
  for (std::size_t i = 0; i < 15; ++i) diagonal[i] = gram[i * 15 + i];
  Problem lazy{Gram::by_columns(diagonal,
                                [&](std::size_t j, std::span<double> column) {
                                  for (std::size_t i = 0; i < column.size(); ++i) column[i] = gram[i * 15 + j];
                                }),
               dense.targets, 0.1, 5.0, true};
  EXPECT_EQ(solve(dense).beta, solve(lazy).beta);
}

TEST(SvrSolver, has_a_gap_of_rounding_size_for_finite_boxes) {
  Problem problem{Gram::dense(30, exponential_gram(weyl_points(30))), weyl_points(30, 11), 0.05, 10.0, true};
  const Solution solution = solve(problem);
  // Each bracket of the gap is at most 2 C residual; the residual is below tolerance * scale.
  EXPECT_LE(solution.gap, 30 * 2 * 10.0 * Options{}.tolerance * solution.scale);
  EXPECT_LE(std::abs(solution.primal - solution.dual), solution.gap + Options{}.tolerance * solution.primal);
}

TEST(SvrSolver, names_what_is_wrong_with_a_problem) {
  Problem problem{Gram::dense(1, {1.0}), {1.0}, -0.5, 1.0, true};
  try {
    solve(problem);
    FAIL() << "a negative epsilon must be refused";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "svr::Problem: epsilon is -0.5; it must be finite and >= 0");
  }
  problem.epsilon = 0.5;
  problem.box = 0.0;
  EXPECT_THROW(solve(problem), std::invalid_argument);
  problem.box = 1.0;
  problem.targets = {std::nan("")};
  EXPECT_THROW(solve(problem), std::invalid_argument);
  problem.targets = {1.0, 2.0};
  EXPECT_THROW(solve(problem), std::invalid_argument);
  EXPECT_THROW(Gram::dense(2, {1.0, 2.0, 3.0, 1.0}), std::invalid_argument);
  EXPECT_THROW(Gram::dense(1, {-1.0}), std::invalid_argument);
}

}  // namespace
}  // namespace attest::svr
