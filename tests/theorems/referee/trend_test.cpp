// Where sequences of gaps go.
#include "theorems/referee/protocols/trend.hpp"

#include <cmath>
#include <functional>

#include <gtest/gtest.h>

namespace attest::referee {
namespace {

Trend trend_over(int count, const std::function<double(double)>& gap) {
  std::vector<double> gaps;
  for (int k = 1; k <= count; ++k) gaps.push_back(gap(k));
  return trend_of(gaps);
}

TEST(Trend, powers_of_n_and_of_its_logarithm_fall_to_zero) {
  EXPECT_TRUE(trend_over(16, [](double k) { return std::exp2(-k); }).to_zero);
  EXPECT_TRUE(trend_over(40, [](double k) { return std::exp2(-k / 2) - 3 * std::exp2(-k); }).to_zero);
  EXPECT_TRUE(trend_over(40, [](double k) { return 1 / k; }).to_zero);
}

TEST(Trend, slow_falls_are_not_taken_for_a_rest) {
  for (const double power : {0.1, 0.5, 2.0})
    EXPECT_FALSE(trend_over(40, [&](double k) { return std::pow(k, -power); }).away) << power;
  EXPECT_FALSE(trend_over(40, [](double k) { return 1 / std::log(k + 1); }).away);
}

TEST(Trend, a_rest_below_what_still_falls_is_extrapolated) {
  const double rest = 4e-5;
  const Trend trend = trend_over(16, [&](double k) { return rest + 0.6 * std::exp2(-k) - 0.3 * std::exp2(-2 * k); });
  EXPECT_FALSE(trend.to_zero);
  EXPECT_TRUE(trend.away);
  EXPECT_NEAR(trend.settles_at, rest, extrapolation_agreement * rest);
}

TEST(Trend, a_rest_below_what_falls_as_slowly_as_a_logarithm_is_extrapolated) {
  const double rest = 0.01;
  const Trend trend = trend_over(40, [&](double k) { return rest - 1.5 / k; });
  EXPECT_TRUE(trend.away);
  EXPECT_NEAR(trend.settles_at, rest, extrapolation_agreement * rest);
}

TEST(Trend, too_few_gaps_tell_nothing) {
  const Trend trend = trend_over(7, [](double k) { return std::exp2(-k); });
  EXPECT_FALSE(trend.to_zero);
  EXPECT_FALSE(trend.away);
}

TEST(Trend, a_slow_sequence_on_its_way_through_zero_does_not_fall_to_it) {
  const Trend trend = trend_over(16, [](double k) { return -0.0476 + 0.79 / k + 0.03 * std::exp2(-k); });
  EXPECT_FALSE(trend.to_zero);
}

TEST(Trend, changes_that_grow_settle_nowhere) {
  const Trend trend = trend_over(160, [](double k) { return -1 + 1e-6 * std::exp2(0.01 * k); });
  EXPECT_FALSE(trend.away);
  EXPECT_FALSE(trend.to_zero);
}

Growth growth_over(int count, const std::function<double(double)>& logarithm) {
  std::vector<double> logarithms;
  for (int k = 1; k <= count; ++k) logarithms.push_back(logarithm(k));
  return growth_of(logarithms);
}

TEST(Growth, slow_logarithms_are_not_taken_for_a_bound) {
  EXPECT_TRUE(growth_over(40, [](double k) { return 1 - std::exp2(-k); }).bounded);
  EXPECT_TRUE(growth_over(40, [](double k) { return 1 - 0.5 / k; }).bounded);
  EXPECT_TRUE(growth_over(40, [](double k) { return -0.01 * std::exp(k) + std::exp(k / 2); }).bounded);
  EXPECT_TRUE(growth_over(40, [](double k) { return 0.01 * k; }).unbounded);
  EXPECT_TRUE(growth_over(40, [](double k) { return std::log(k); }).unbounded);
  EXPECT_FALSE(growth_over(40, [](double k) { return 0.01 * std::log(k); }).bounded);
}

}  // namespace
}  // namespace attest::referee
