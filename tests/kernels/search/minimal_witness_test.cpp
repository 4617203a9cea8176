#include "kernels/search/minimal_witness.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

namespace attest::search {
namespace {

TEST(RoundToBits, keeps_the_leading_bits_and_rounds_to_nearest) {
  EXPECT_EQ(round_to_bits(0.3, 0), 0);
  EXPECT_EQ(round_to_bits(0.3, 1), 0.25);
  EXPECT_EQ(round_to_bits(-0.3, 2), -0.25);
  EXPECT_EQ(round_to_bits(0.3, 3), 0.3125);
  EXPECT_EQ(round_to_bits(7, 2), 8);
  EXPECT_EQ(round_to_bits(0.1, 53), 0.1);
}

TEST(CutToBits, keeps_the_leading_bits_and_rounds_toward_zero) {
  EXPECT_EQ(cut_to_bits(0.99, 1), 0.5);
  EXPECT_EQ(cut_to_bits(-7, 2), -6);
  EXPECT_EQ(cut_to_bits(0.3, 0), 0);
  EXPECT_EQ(cut_to_bits(0.1, 53), 0.1);
}

TEST(ShortenWitness, rounds_toward_zero_where_the_nearest_short_number_is_outside) {
  const auto violates = [](std::span<const double> x) { return x[0] > 0.4 && x[0] < 1; };
  EXPECT_EQ(shorten_witness({0.99}, violates), std::vector<double>{0.5});
}

TEST(SignificantBits, counts_the_bits_that_are_needed) {
  EXPECT_EQ(significant_bits(0), 0);
  EXPECT_EQ(significant_bits(-4), 1);
  EXPECT_EQ(significant_bits(0.75), 2);
  EXPECT_EQ(significant_bits(1 + std::ldexp(1.0, -52)), 53);
}

TEST(ShortenWitness, finds_the_short_numbers_that_still_violate) {
  const auto violates = [](std::span<const double> x) { return x[0] > 0.26 && x[0] < 0.9 && x[1] * x[1] < 2; };
  const std::vector<double> shortened = shorten_witness({0.7123456789, 1.0000000001, 3.3}, violates);
  EXPECT_EQ(shortened, (std::vector<double>{0.5, 0, 0}));
}

TEST(ShortenWitness, keeps_what_cannot_be_shortened) {
  const double needed = 0.1;
  const auto violates = [&](std::span<const double> x) { return x[0] == needed && x[1] > x[0]; };
  const std::vector<double> shortened = shorten_witness({needed, 0.7654321}, violates);
  EXPECT_EQ(shortened[0], needed);
  EXPECT_EQ(significant_bits(shortened[1]), 1);
}

TEST(ShortenWitness, rounds_coordinates_together_when_they_depend_on_each_other) {
  const auto violates = [](std::span<const double> x) { return x[0] == x[1] && x[0] > 0.2; };
  const std::vector<double> shortened = shorten_witness({0.337, 0.337}, violates);
  EXPECT_EQ(shortened[0], shortened[1]);
  EXPECT_LE(significant_bits(shortened[0]), 1);
}

TEST(ShortenWitness, stops_at_its_cap_with_a_point_that_violates) {
  int calls = 0;
  const auto violates = [&](std::span<const double> x) {
    ++calls;
    return x[0] > 0.6543 && x[0] < 0.6544;
  };
  const std::vector<double> shortened = shorten_witness({0.654321}, violates, 5);
  EXPECT_LE(calls, 6);
  EXPECT_TRUE(violates(shortened));
}

TEST(ShortenWitness, refuses_a_point_that_does_not_violate) {
  EXPECT_THROW(shorten_witness({1}, [](std::span<const double>) { return false; }), std::invalid_argument);
  EXPECT_THROW(shorten_witness({std::numeric_limits<double>::infinity()}, [](std::span<const double>) { return true; }),
               std::invalid_argument);
}

}  // namespace
}  // namespace attest::search
