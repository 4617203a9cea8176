#include "kernels/statistics/welford.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/statistics/clopper_pearson.hpp"
#include "kernels/statistics/compensated_sum.hpp"
#include "tests/support/rounding.hpp"

namespace attest::statistics {
namespace {

TEST(Welford, keeps_the_variance_of_a_small_spread_around_a_large_mean) {
  Welford moments;
  for (const double x : {1e8 + 1, 1e8 + 2, 1e8 + 3}) moments.add(x);
  EXPECT_DOUBLE_EQ(moments.mean(), 1e8 + 2);
  EXPECT_DOUBLE_EQ(moments.variance(), 1);
}

TEST(Welford, merges_blocks_to_the_moments_of_the_whole) {
  Welford whole, left, right, empty;
  for (int i = 0; i < 40; ++i) {
    whole.add(std::sin(i));
    (i < 13 ? left : right).add(std::sin(i));
  }
  empty.merge(left);
  empty.merge(Welford());
  empty.merge(right);
  EXPECT_EQ(empty.count(), 40U);
  // The k-th of the observations, below 1, comes with three roundings that weigh 1/k: of either sign, they add up to
  // less than 3 sqrt(pi^2/6) = 3.9 units, on either side.
  constexpr double rounding = 2 * 3.9 * tests::unit_roundoff;
  EXPECT_NEAR(empty.mean(), whole.mean(), rounding);
  EXPECT_NEAR(empty.variance(), whole.variance(), rounding);
}

TEST(Welford, passes_nan_on) {
  Welford moments;
  for (const double x : {1.0, std::nan(""), 2.0}) moments.add(x);
  EXPECT_TRUE(std::isnan(moments.mean()));
  EXPECT_TRUE(std::isnan(moments.variance()));
}

TEST(CompensatedSum, keeps_terms_that_a_plain_sum_loses) {
  const std::vector<double> terms{1, 1e100, 1, -1e100};
  CompensatedSum sum;
  double plain = 0;
  for (const double term : terms) {
    sum.add(term);
    plain += term;
  }
  EXPECT_EQ(sum.value(), 2);
  EXPECT_EQ(plain, 0);
}

// The quantile is solved for to the last bits of the incomplete beta function, which errs by some 32 units of roundoff;
// its slope is above 1 here.
constexpr double quantile_rounding = 32 * tests::unit_roundoff;

// With no success in n trials the upper end solves (1 - p)^n = level.
TEST(ClopperPearson, agrees_with_the_closed_form_for_no_success_and_by_symmetry_for_all) {
  const double closed_form = -std::expm1(std::log(0.025) / 50);
  EXPECT_NEAR(clopper_pearson(0, 50, 0.05).upper, closed_form, quantile_rounding);
  EXPECT_EQ(clopper_pearson(0, 50, 0.05).lower, 0);
  EXPECT_NEAR(clopper_pearson(50, 50, 0.05).lower, 1 - closed_form, quantile_rounding);
  EXPECT_THROW(clopper_pearson(1, 0, 0.05), std::invalid_argument);
}

// P(Bin(20, lower) >= 7) = P(Bin(20, upper) <= 7) = 0.025.
TEST(ClopperPearson, has_ends_that_put_exactly_the_level_beyond_the_count) {
  const Interval interval = clopper_pearson(7, 20, 0.05);
  const auto at_most = [](int k, double p) {
    double total = 0;
    for (int i = 0; i <= k; ++i)
      total += std::exp(std::lgamma(21) - std::lgamma(i + 1) - std::lgamma(21 - i)) * std::pow(p, i) *
               std::pow(1 - p, 20 - i);
    return total;
  };
  // Three log factorials below 43, within four units each, make the relative error of every term; the quantile's own
  // comes with the density of 20 trials, below 5.
  constexpr double rounding = 3 * 4 * 43 * tests::unit_roundoff + 5 * quantile_rounding;
  EXPECT_NEAR(1 - at_most(6, interval.lower), 0.025, rounding);
  EXPECT_NEAR(at_most(7, interval.upper), 0.025, rounding);
}

}  // namespace
}  // namespace attest::statistics
