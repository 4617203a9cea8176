#include <cmath>

#include <gtest/gtest.h>

#include "kernels/attention/stages/sinusoidal.hpp"
#include "kernels/attention/stages/slopes.hpp"

namespace attest::attention {
namespace {

TEST(AlibiSlopes, are_powers_of_a_half_when_heads_are_a_power_of_two) {
  EXPECT_EQ(alibi_slopes(8), (std::vector<double>{0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625, 0.0078125, 0.00390625}));
  EXPECT_EQ(alibi_slopes(1), (std::vector<double>{std::exp2(-8)}));
}

TEST(AlibiSlopes, of_other_numbers_of_heads_interleave_those_of_twice_the_power_below) {
  EXPECT_EQ(alibi_slopes(3), (std::vector<double>{std::exp2(-4), std::exp2(-8), std::exp2(-2)}));
  const std::vector<double> twelve = alibi_slopes(12), eight = alibi_slopes(8);
  EXPECT_TRUE(std::equal(eight.begin(), eight.end(), twelve.begin()));
  for (std::size_t h = 8; h < 12; ++h) EXPECT_EQ(twelve[h], std::exp2(-0.5 * static_cast<double>(2 * (h - 8) + 1)));
  EXPECT_THROW(alibi_slopes(0), std::invalid_argument);
}

/// Angles of at most 4 from a frequency with four roundings, and one of the sine.
constexpr double angle_rounding = (4 * 4 + 2) * 0x1p-53;
/// Sixteen squares that sum to 8: each errs by three roundings, a partial sum by one.
constexpr double length_rounding = 8 * (3 + 16) * 0x1p-53;

TEST(SinusoidalPositions, interleave_sine_and_cosine_of_equation_2_5) {
  const Tensor<double> p = sinusoidal_positions<double>(5, 6), from_one = sinusoidal_positions<double>(5, 6, 1);
  ASSERT_EQ(p.shape(), (Shape{5, 6}));
  for (Index i = 0; i < 5; ++i)
    for (Index t = 0; t < 3; ++t) {
      const double frequency = std::exp(-std::log(10000.0) * static_cast<double>(2 * t) / 6);
      EXPECT_NEAR(p.data()[i * 6 + 2 * t], std::sin(static_cast<double>(i) * frequency), angle_rounding);
      EXPECT_NEAR(p.data()[i * 6 + 2 * t + 1], std::cos(static_cast<double>(i) * frequency), angle_rounding);
      if (i > 0) {
        EXPECT_EQ(p.data()[i * 6 + 2 * t], from_one.data()[(i - 1) * 6 + 2 * t]);
      }
    }
}

TEST(SinusoidalPositions, have_squared_length_half_the_dimension) {
  const Tensor<double> p = sinusoidal_positions<double>(100, 16);
  for (Index i = 0; i < 100; ++i) {
    double square = 0;
    for (Index d = 0; d < 16; ++d) square += p.data()[i * 16 + d] * p.data()[i * 16 + d];
    EXPECT_NEAR(square, 8, length_rounding);
  }
  EXPECT_THROW(sinusoidal_positions<double>(3, 5), std::invalid_argument);
}

TEST(Positions, are_added_to_every_sequence_and_learn_from_all) {
  const Tensor<double> x({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}), p({2, 2}, {10, 20, 30, 40});
  EXPECT_EQ(add_positions(x, p), Tensor<double>({2, 2, 2}, {11, 22, 33, 44, 15, 26, 37, 48}));
  EXPECT_EQ(positions_gradient(x), Tensor<double>({2, 2}, {6, 8, 10, 12}));
}

}  // namespace
}  // namespace attest::attention
