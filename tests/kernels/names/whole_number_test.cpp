#include "kernels/names/whole_number.hpp"

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace attest::names {
namespace {

using nlohmann::json;

template <typename Whole>
Whole read(const char* text) {
  return whole_number<Whole>(json::parse(text), "'n'");
}

template <typename Whole>
std::string refused(const char* text) {
  try {
    read<Whole>(text);
  } catch (const std::invalid_argument& refusal) {
    return refusal.what();
  }
  return "";
}

TEST(WholeNumber, takes_what_the_type_holds) {
  EXPECT_EQ(read<int>("-7"), -7);
  EXPECT_EQ(read<std::int64_t>("4.0"), 4);
  EXPECT_EQ(read<std::int64_t>("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(read<std::uint64_t>("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
}

TEST(WholeNumber, refuses_what_a_cast_would_change) {
  EXPECT_EQ(
      refused<std::int64_t>("18446744073709551615"),
      "'n' is 18446744073709551615 where a whole number from -9223372036854775808 to 9223372036854775807 belongs");
  EXPECT_EQ(refused<int>("1e20"), "'n' is 1e+20 where a whole number from -2147483648 to 2147483647 belongs");
  for (const char* text : {"4.5", "-1.5e300", "2147483648", "-2147483649", "true", "\"4\"", "null", "[4]"})
    EXPECT_NE(refused<int>(text), "") << text;
  EXPECT_NE(refused<std::uint64_t>("-1"), "");
}

TEST(WholeNumber, quotes_little_of_what_it_refuses) {
  const std::string longest = "\"" + std::string(100000, 'x') + "\"";
  EXPECT_LT(refused<int>(longest.c_str()).size(), 200U);
}

}  // namespace
}  // namespace attest::names
