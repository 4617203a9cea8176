#include "simulations/measure/untrained/svr_duals.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/rounding.hpp"

namespace attest::measure {
namespace {

// Two orthogonal keys of length s in one plane.
AttentionKernel two_keys(double s) { return attention_kernel(s * Eigen::MatrixXd::Identity(2, 2)); }

TEST(AttentionKernel, is_the_exponential_over_both_normalisers) {
  const double a = std::exp(1.0 / std::sqrt(2.0));
  const AttentionKernel kernel = two_keys(1);
  constexpr double rounding = 32 * tests::unit_roundoff;
  EXPECT_NEAR(kernel.normaliser[0], a + 1, rounding);
  EXPECT_NEAR(kernel.gram(0, 0), a / ((a + 1) * (a + 1)), rounding);
  EXPECT_NEAR(kernel.gram(0, 1), 1 / ((a + 1) * (a + 1)), rounding);
  EXPECT_EQ(kernel.gram, kernel.gram.transpose());
}

TEST(SolveShares, has_no_support_vector_inside_the_tube) {
  EXPECT_FALSE(solve_shares(two_keys(1), Eigen::Vector2d(0.05, -0.05), 0.1, 1e3))
      << "the optimum is 0: no relative gap";
  const auto one = solve_shares(two_keys(3), Eigen::Vector2d(1, 0), 0.1, 1e6);
  ASSERT_TRUE(one);
  EXPECT_GE(one->zero, 0);
}

TEST(SolveShares, is_at_the_bound_when_c_is_small_and_fits_to_the_tube_when_it_is_large) {
  const Eigen::Vector2d targets(1, -1);
  const DualShares small = solve_shares(two_keys(1), targets, 0.1, 1e-3).value();
  EXPECT_EQ(small.at_bound, 1);
  EXPECT_EQ(small.zero, 0);
  EXPECT_GT(small.error, 0.9);
  const DualShares large = solve_shares(two_keys(1), targets, 0.1, 1e6).value();
  EXPECT_EQ(large.at_bound, 0);
  constexpr double solved = 1e-13;  // the solver's tolerance: every residual ends that near to the tube's edge
  EXPECT_NEAR(large.error, 0.1, solved);
  // Two slacks of a few roundings, times C, over an objective above 1/2.
  EXPECT_LT(large.gap, 2 * 1e6 * 4 * tests::unit_roundoff / 0.5);
}

}  // namespace
}  // namespace attest::measure
