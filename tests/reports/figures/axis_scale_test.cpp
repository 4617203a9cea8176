#include "reports/figures/axis_scale.hpp"

#include <cmath>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace attest::reports {
namespace {

using testing::ElementsAre;

std::vector<std::string> labels(const AxisScale& scale) {
  std::vector<std::string> result;
  for (const Tick& tick : scale.ticks) result.push_back(tick.label);
  return result;
}

AxisScale logarithmic(double least, double largest) {
  return axis_scale({"", true}, {least, largest}, 6, false, false);
}
AxisScale linear(double least, double largest) { return axis_scale({"", false}, {least, largest}, 7, false, false); }

TEST(AxisScale, of_a_third_of_a_decade_has_numbers_and_no_decade_beyond_them) {
  const AxisScale scale = logarithmic(20, 44);
  EXPECT_GT(scale.low, 18);
  EXPECT_LT(scale.high, 49);
  EXPECT_THAT(labels(scale), ElementsAre("20", "25", "30", "35", "40", "45"));
}

TEST(AxisScale, spells_powers_alike) {
  EXPECT_THAT(labels(logarithmic(1e2, 1e8)), ElementsAre("10^{2}", "10^{4}", "10^{6}", "10^{8}"));
  EXPECT_THAT(labels(logarithmic(1e-2, 1e2)), ElementsAre("0.01", "0.1", "1", "10", "100"));
}

TEST(AxisScale, starts_what_is_not_negative_at_zero_at_the_lowest) {
  EXPECT_EQ(linear(0.01, 1).low, 0);
  EXPECT_LT(linear(-0.01, 1).low, -0.01);
  EXPECT_EQ(linear(-1, -0.01).high, 0);
  EXPECT_THAT(labels(linear(-0.3, 0.3)), ElementsAre("−0.3", "−0.2", "−0.1", "0", "0.1", "0.2", "0.3"));
}

TEST(AxisScale, ends_near_the_data_and_has_two_numbers_for_any_data) {
  // A step that misses an end by that share of itself is counted.
  constexpr double of_a_step = 1e-9;
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> exponent(-200, 200), share(0, 6), sign(-1, 1);
  for (int i = 0; i < 20000; ++i) {
    const double least = std::pow(10.0, exponent(random)), largest = least * std::pow(10.0, share(random));
    const AxisScale scale = logarithmic(least, largest);
    EXPECT_LE(scale.low, least);
    EXPECT_GE(scale.high, largest);
    EXPECT_LE(std::log10(scale.high / scale.low), std::log10(largest / least) + 2.0 / 3 + of_a_step);
    EXPECT_GE(scale.ticks.size(), 2U) << least << " to " << largest;
    EXPECT_LE(scale.ticks.size(), 8U) << least << " to " << largest;
    const double a = sign(random) * least, b = a + (1e-9 + share(random)) * least;
    const AxisScale straight = linear(a, b);
    EXPECT_LE(straight.low, a);
    EXPECT_GE(straight.high, b);
    EXPECT_LE(straight.high - straight.low, 1.09 * (b - a));
    EXPECT_GE(straight.ticks.size(), 2U) << a << " to " << b;
    for (const Tick& tick : straight.ticks) {
      EXPECT_GE(tick.value, straight.low - of_a_step * (b - a));
      EXPECT_LE(tick.value, straight.high + of_a_step * (b - a));
    }
  }
}

TEST(AxisScale, has_room_around_a_single_value_and_takes_the_largest_doubles) {
  for (const double value : {0.0, 7.0, -3.0, 1e300, -1e300}) {
    const AxisScale scale = linear(value, value);
    EXPECT_LT(scale.low, value);
    EXPECT_GT(scale.high, value);
    EXPECT_GE(scale.ticks.size(), 2U) << value;
  }
  EXPECT_LE(linear(-1.7e308, 1.7e308).ticks.size(), 26U);
  EXPECT_LT(logarithmic(5, 5).low, 5);
  EXPECT_LE(logarithmic(5e-324, 1.7e308).ticks.size(), 8U);
}

TEST(AxisScale, shows_places_and_no_numbers) {
  const AxisScale scale = axis_scale({"", false, {{1, "a"}, {2, "b"}}}, {1, 2}, 6, false, true);
  EXPECT_THAT(labels(scale), ElementsAre("a", "b"));
  EXPECT_EQ(scale.low, 2.5) << "the first on top";
  EXPECT_EQ(scale.high, 0.5);
}

}  // namespace
}  // namespace attest::reports
