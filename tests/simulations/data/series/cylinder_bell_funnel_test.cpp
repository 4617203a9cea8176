#include "simulations/data/series/cylinder_bell_funnel.hpp"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

namespace attest::data {
namespace {

constexpr std::size_t steps = 128, count = 9000;
const SeriesSet& many() {
  static const SeriesSet set = generate_cylinder_bell_funnel(7, 0, count);
  return set;
}

/// Mean of the values at step t (from 1) over the series of a class.
double mean_at(std::int32_t shape, std::size_t t) {
  double sum = 0, all = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (many().labels[i] != shape) continue;
    sum += many().values[many().starts[i] + t - 1];
    all += 1;
  }
  return sum / all;
}

TEST(CylinderBellFunnel, each_series_depends_on_its_number_alone) {
  const SeriesSet one = generate_cylinder_bell_funnel(7, 5, 1);
  EXPECT_EQ(one.labels[0], many().labels[5]);
  EXPECT_TRUE(std::equal(one.values.begin(), one.values.end(), many().values.begin() + many().starts[5]));
  EXPECT_NE(one.values, generate_cylinder_bell_funnel(8, 5, 1).values);
}

TEST(CylinderBellFunnel, is_a_set_of_one_channel_and_128_steps_that_lacks_no_value) {
  EXPECT_EQ(many().dimensions, 1U);
  EXPECT_EQ(many().longest(), steps);
  EXPECT_EQ(many().values.size(), count * steps);
  EXPECT_EQ(many().observed.size(), count * steps);
  EXPECT_FALSE(many().is_regression());
}

// Six standard errors of a mean over about 3000 series: a true generator misses one of these bounds in about 1e-8.
constexpr double six_errors = 6;

TEST(CylinderBellFunnel, classes_are_equally_likely) {
  const auto counts = count_labels(many().labels, 3);
  for (const auto of_class : counts)
    EXPECT_NEAR(of_class, count / 3.0, six_errors * std::sqrt(count * (1.0 / 3) * (2.0 / 3)));
}

TEST(CylinderBellFunnel, is_standard_noise_before_its_shape_begins) {
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t t = 1; t < 16; ++t) {
      const double x = many().values[many().starts[i] + t - 1];
      sum += x;
      squares += x * x;
    }
  const double n = count * 15.0;
  EXPECT_NEAR(sum / n, 0, six_errors / std::sqrt(n));
  EXPECT_NEAR(squares / n, 1, six_errors * std::sqrt(2 / n));
}

TEST(CylinderBellFunnel, at_step_40_means_are_those_of_the_rule) {
  // Every series has begun (a <= 32) and not ended (b >= 48); the mean over a and the length L = b - a is exact.
  double rises = 0, falls = 0;
  for (int a = 16; a <= 32; ++a)
    for (int length = 32; length <= 96; ++length) {
      const bool inside = 40 <= a + length;
      ASSERT_TRUE(inside);
      rises += 6 * (40.0 - a) / length / (17 * 65);
      falls += 6 * (a + length - 40.0) / length / (17 * 65);
    }
  // The values' deviation is below 3 in each class: noise 1, height 1, and the place of a shape at most 6/2.
  const double error = six_errors * 3 / std::sqrt(count / 3.0);
  EXPECT_NEAR(mean_at(0, 40), 6, error);
  EXPECT_NEAR(mean_at(1, 40), rises, error);
  EXPECT_NEAR(mean_at(2, 40), falls, error);
}

}  // namespace
}  // namespace attest::data
