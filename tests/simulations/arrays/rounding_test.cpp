#include "simulations/arrays/rounding.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace attest::arrays {
namespace {

TEST(Rounding, is_to_nearest_with_ties_to_even) {
  constexpr ElementType half = ElementType::float16, brain = ElementType::bfloat16;
  EXPECT_EQ(rounded(1 + 0x1p-11, half), 1);             // a tie, to even
  EXPECT_EQ(rounded(1 + 0x1.8p-10, half), 1 + 0x1p-9);  // a tie, to even
  EXPECT_EQ(rounded(1 + 0x1.0000001p-11, half), 1 + 0x1p-10);
  EXPECT_EQ(rounded(-(1 + 0x1p-8), brain), -1);
  EXPECT_EQ(rounded(1 + 0x1.8p-7, brain), 1 + 0x1p-6);
  EXPECT_EQ(rounded(0.1, ElementType::float32), static_cast<double>(0.1F));
  EXPECT_EQ(rounded(0.1, ElementType::float64), 0.1);
}

/// Through float, 1 + 2^-11 + 2^-36 would become the tie 1 + 2^-11, and then 1.
TEST(Rounding, is_done_once) { EXPECT_EQ(rounded(1 + 0x1p-11 + 0x1p-36, ElementType::float16), 1 + 0x1p-10); }

TEST(Rounding, knows_subnormal_numbers_and_overflow) {
  EXPECT_EQ(rounded(0x1p-24, ElementType::float16), 0x1p-24);
  EXPECT_EQ(rounded(0x1p-25, ElementType::float16), 0);
  EXPECT_EQ(rounded(0x1.8p-25, ElementType::float16), 0x1p-24);
  EXPECT_EQ(rounded(65504, ElementType::float16), 65504);
  EXPECT_EQ(rounded(65519.9, ElementType::float16), 65504);
  EXPECT_EQ(rounded(-65520, ElementType::float16), -HUGE_VAL);
  EXPECT_EQ(rounded(1e39, ElementType::bfloat16), HUGE_VAL);
  EXPECT_EQ(rounded(1e39, ElementType::float32), HUGE_VAL);
  EXPECT_TRUE(std::isnan(rounded(std::nan(""), ElementType::float16)));
}

TEST(Rounding, of_an_array_keeps_its_shape_and_what_the_type_can_hold) {
  const std::vector<double> values = {0, -1.5, 0.1, 65504, 0x1p-24, HUGE_VAL};
  for (const ElementType type :
       {ElementType::float16, ElementType::bfloat16, ElementType::float32, ElementType::float64}) {
    const Array array = rounded(floating_array<double>({2, 3}, values), type);
    EXPECT_EQ(array.type, type);
    EXPECT_EQ(array.shape, (std::vector<std::int64_t>{2, 3}));
    const std::vector<double> read = floating_values<double>(array);
    for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(read[i], rounded(values[i], type)) << name(type);
  }
}

TEST(Rounding, keeps_signs_of_zero_and_not_a_number) {
  for (const ElementType type : {ElementType::float16, ElementType::bfloat16, ElementType::float32}) {
    const std::vector<double> read = floating_values<double>(array_in(type, {2}, std::vector<double>{-0.0, NAN}));
    EXPECT_TRUE(std::signbit(read[0]) && read[0] == 0) << name(type);
    EXPECT_TRUE(std::isnan(read[1])) << name(type);
  }
}

TEST(LargestFinite, is_where_the_format_ends) {
  for (const ElementType type : {ElementType::float16, ElementType::bfloat16, ElementType::float32}) {
    const double largest = largest_finite(type);
    EXPECT_EQ(rounded(largest, type), largest) << name(type);
    EXPECT_EQ(rounded(largest * (1 + unit_roundoff(type)), type), HUGE_VAL) << name(type);
  }
  EXPECT_EQ(largest_finite(ElementType::float64), std::numeric_limits<double>::max());
}

TEST(LeastKept, is_normal_where_kernels_may_flush) {
  EXPECT_EQ(least_kept(ElementType::float16), 0x1p-24);
  EXPECT_EQ(least_kept(ElementType::bfloat16), 0x1p-126);
  EXPECT_EQ(least_kept(ElementType::float32), std::numeric_limits<float>::min());
  EXPECT_EQ(least_kept(ElementType::float64), std::numeric_limits<double>::min());
}

TEST(UnitRoundoff, is_half_the_distance_from_one_to_the_next_number) {
  for (const ElementType type :
       {ElementType::float16, ElementType::bfloat16, ElementType::float32, ElementType::float64}) {
    const double u = unit_roundoff(type);
    EXPECT_EQ(rounded(1 + 2 * u, type), 1 + 2 * u) << name(type);
    EXPECT_EQ(rounded(1 + u, type), 1) << name(type);
  }
}

}  // namespace
}  // namespace attest::arrays
