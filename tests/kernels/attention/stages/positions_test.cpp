#include <cmath>

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace attest::attention
