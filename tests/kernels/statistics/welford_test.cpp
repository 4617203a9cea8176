#include "kernels/statistics/welford.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/statistics/clopper_pearson.hpp"
#include "kernels/statistics/compensated_sum.hpp"

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
  EXPECT_NEAR(empty.mean(), whole.mean(), 1e-15);
  EXPECT_NEAR(empty.variance(), whole.variance(), 1e-15);
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

// With no success in n trials the upper end solves (1 - p)^n = level.
TEST(ClopperPearson, agrees_with_the_closed_form_for_no_success_and_by_symmetry_for_all) {
  const double closed_form = -std::expm1(std::log(0.025) / 50);
  EXPECT_NEAR(clopper_pearson(0, 50, 0.05).upper, closed_form, 1e-14);
  EXPECT_EQ(clopper_pearson(0, 50, 0.05).lower, 0);
  EXPECT_NEAR(clopper_pearson(50, 50, 0.05).lower, 1 - closed_form, 1e-14);
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
  EXPECT_NEAR(1 - at_most(6, interval.lower), 0.025, 1e-12);
  EXPECT_NEAR(at_most(7, interval.upper), 0.025, 1e-12);
}

}  // namespace
}  // namespace attest::statistics
