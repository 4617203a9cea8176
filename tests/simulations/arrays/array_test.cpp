#include "simulations/arrays/array.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/simulations/scratch_folder.hpp"

namespace attest::arrays {
namespace {

using testing::ElementsAre;

// Little-endian 16-bit words.
Array of_words(ElementType type, std::initializer_list<unsigned> words) {
  Array array{type, {static_cast<std::int64_t>(words.size())}, {}};
  for (const unsigned word : words) {
    array.bytes += static_cast<char>(word & 0xffU);
    array.bytes += static_cast<char>(word >> 8U);
  }
  return array;
}

TEST(Array, widens_half_and_bfloat16_exactly) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  // 1, the largest half, the smallest subnormal half, -2, infinity (IEEE 754 binary16).
  EXPECT_THAT(floating_values<double>(of_words(ElementType::float16, {0x3c00, 0x7bff, 0x0001, 0xc000, 0x7c00})),
              ElementsAre(1, 65504, std::ldexp(1, -24), -2, infinity));
  // 1, 3.140625, -infinity (the upper halves of binary32).
  EXPECT_THAT(floating_values<float>(of_words(ElementType::bfloat16, {0x3f80, 0x4049, 0xff80})),
              ElementsAre(1.0F, 3.140625F, -std::numeric_limits<float>::infinity()));
  EXPECT_TRUE(std::isnan(floating_values<float>(of_words(ElementType::float16, {0x7e00}))[0]));
}

TEST(Array, keeps_doubles_and_rounds_them_to_the_nearest_float) {
  const std::vector<double> values = {0.1, -1e-310, 16777217};
  const Array array = floating_array<double>({3}, values);
  EXPECT_EQ(floating_values<double>(array), values);
  EXPECT_THAT(floating_values<float>(array), ElementsAre(0.1F, -0.0F, 16777216.0F));
}

TEST(Array, reads_integers_and_booleans_but_never_as_the_other_kind) {
  EXPECT_THAT(integer_values({ElementType::boolean, {3}, std::string("\0\1\1", 3)}), ElementsAre(0, 1, 1));
  EXPECT_THAT(integer_values({ElementType::int32, {1}, std::string("\xfe\xff\xff\xff", 4)}), ElementsAre(-2));
  EXPECT_THAT(integer_values({ElementType::int64, {1}, std::string("\0\0\0\0\1\0\0\0", 8)}),
              ElementsAre(std::int64_t{1} << 32));
  EXPECT_THROW(floating_values<double>({ElementType::int32, {0}, ""}), std::invalid_argument);
  EXPECT_THROW(integer_values({ElementType::float32, {0}, ""}), std::invalid_argument);
}

TEST(ByteCount, refuses_negative_extents_and_products_that_wrap_around) {
  const auto bytes = [](std::vector<std::int64_t> shape) { return byte_count(shape, ElementType::float32); };
  EXPECT_EQ(bytes({}), 4U);
  EXPECT_EQ(bytes({2, 3}), 24U);
  EXPECT_EQ(bytes({2, 0}), 0U);
  EXPECT_EQ(bytes({-1}), std::nullopt);
  EXPECT_EQ(bytes({std::int64_t{1} << 31, std::int64_t{1} << 31, 4}), std::nullopt);
}

TEST(QuotedName, keeps_a_message_on_one_short_line) {
  EXPECT_EQ(quoted_name("q"), "'q'");
  EXPECT_EQ(quoted_name("a\nb\x7f"), R"('a\x0ab\x7f')");
  EXPECT_EQ(quoted_name(std::string(1000, 'x')), "'" + std::string(64, 'x') + "...'");
}

}  // namespace
}  // namespace attest::arrays
