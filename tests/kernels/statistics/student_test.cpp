#include "kernels/statistics/student.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/random/stream.hpp"

namespace attest::statistics {
namespace {

constexpr double unit_roundoff = std::numeric_limits<double>::epsilon() / 2;
/// Boost promises its quantile of t to a few hundred units; the formula beside it takes a few.
constexpr double quantile_rounding = 512 * unit_roundoff;

Welford of(const std::vector<double>& values) {
  Welford all;
  for (const double value : values) all.add(value);
  return all;
}

TEST(StudentInterval, of_three_observations_has_the_closed_form) {
  // Mean 2, standard deviation 1; for two degrees of freedom t(p) = (2p - 1) sqrt(2 / (1 - (2p - 1)^2)).
  const double half = 0.95 * std::sqrt(2 / (1 - 0.95 * 0.95)) / std::sqrt(3.0);
  EXPECT_NEAR(student_half_width(of({1, 2, 3}), 0.05), half, half * quantile_rounding);
  const Interval interval = student_interval(of({1, 2, 3}), 0.05);
  EXPECT_NEAR(interval.upper, 2 + half, (2 + half) * quantile_rounding);
  EXPECT_NEAR(interval.lower, 2 - half, (2 + half) * quantile_rounding);
}

TEST(StudentInterval, is_everything_where_there_is_no_spread_to_measure_by) {
  for (const auto& values : {std::vector<double>{}, {1}, {1, 1, 1}, {1, std::nan("")}}) {
    const Interval interval = student_interval(of(values), 0.05);
    EXPECT_EQ(interval.lower, -std::numeric_limits<double>::infinity());
    EXPECT_EQ(interval.upper, std::numeric_limits<double>::infinity());
  }
  EXPECT_EQ(student_half_width(of({1, 1, 1}), 0.05), 0);
}

TEST(StudentInterval, refuses_misuse) {
  EXPECT_THROW(student_half_width(of({1}), 0.05), std::invalid_argument);
  for (const double level : {0.0, 1.0, std::nan("")}) {
    EXPECT_THROW(student_half_width(of({1, 2}), level), std::invalid_argument);
    EXPECT_THROW(student_interval(of({1, 2}), level), std::invalid_argument);
    EXPECT_THROW(detectable_shift(3, level, 0.5), std::invalid_argument);
    EXPECT_THROW(detectable_shift(3, 0.05, level), std::invalid_argument);
  }
}

/// How often intervals of five normal observations of mean `shift` lie above 0.
int called_above(double shift, double alpha, int experiments) {
  int found = 0;
  for (int e = 0; e < experiments; ++e) {
    random::Stream stream(3, random::stream_key("student"), static_cast<std::uint64_t>(e));
    Welford all;
    for (int i = 0; i < 5; ++i) all.add(shift + stream.normal());
    found += student_interval(all, alpha).lower > 0 ? 1 : 0;
  }
  return found;
}

/// Counts stay within this many of their standard deviations of their means.
constexpr double deviations = 5;

TEST(DetectableShift, is_found_with_the_stated_power) {
  constexpr int experiments = 4000;
  for (const double power : {0.5, 0.8, 0.95})
    EXPECT_NEAR(called_above(detectable_shift(5, 0.01, power), 0.01, experiments), power * experiments,
                deviations * std::sqrt(experiments * power * (1 - power)));
  EXPECT_NEAR(called_above(0, 0.1, experiments), 0.05 * experiments, deviations * std::sqrt(experiments * 0.05 * 0.95));
}

TEST(DetectableShift, is_infinite_without_a_spread) { EXPECT_TRUE(std::isinf(detectable_shift(1, 0.05, 0.8))); }

}  // namespace
}  // namespace attest::statistics
