#include "reports/text/numbers.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace attest::reports {
namespace {

TEST(ReadableNumber, keeps_the_digits_asked_for_and_no_zeros_behind_them) {
  EXPECT_EQ(readable_number(0.13210001), "0.1321");
  EXPECT_EQ(readable_number(0.5), "0.5");
  EXPECT_EQ(readable_number(-2.25), "-2.25");
  EXPECT_EQ(readable_number(1.5e-7), "1.5e-07");
}

TEST(ReadableNumber, shows_integers_of_ordinary_size_in_full) {
  EXPECT_EQ(readable_number(123456), "123456");
  EXPECT_EQ(readable_number(0), "0");
  EXPECT_EQ(readable_number(-0.0), "0");
}

TEST(ReadableNumber, names_what_is_not_finite) {
  EXPECT_EQ(readable_number(HUGE_VAL), "∞");
  EXPECT_EQ(readable_number(-HUGE_VAL), "-∞");
  EXPECT_EQ(readable_number(std::nan("")), "not a number");
}

TEST(ReadableCount, groups_digits_in_threes_from_five_digits_on) {
  EXPECT_EQ(readable_count(1024), "1024");
  EXPECT_EQ(readable_count(10240), "10\u202f240");
  EXPECT_EQ(readable_count(-1234567), "-1\u202f234\u202f567");
}

TEST(ReadableSeconds, grows_with_the_duration) {
  EXPECT_EQ(readable_seconds(0.034), "0.03 s");
  EXPECT_EQ(readable_seconds(9.996), "10 s");
  EXPECT_EQ(readable_seconds(185), "3 min 05 s");
  EXPECT_EQ(readable_seconds(7620), "2 h 07 min");
  EXPECT_EQ(readable_seconds(std::nan("")), "unknown time");
  EXPECT_EQ(readable_seconds(1e300), "unknown time");
}

TEST(Counted, uses_the_singular_for_one_only) {
  EXPECT_EQ(counted(1, "statement"), "1 statement");
  EXPECT_EQ(counted(0, "statement"), "0 statements");
  EXPECT_EQ(counted(1, "box", "boxes"), "1 box");
  EXPECT_EQ(counted(2, "box", "boxes"), "2 boxes");
}

TEST(OutOf, groups_both_counts) {
  EXPECT_EQ(out_of(13343, 1234567), "13\u202f343 of 1\u202f234\u202f567");
  EXPECT_EQ(out_of(9999, 12000, "point"), "9999 of 12\u202f000 points");
  EXPECT_EQ(out_of(0, 1, "point"), "0 of 1 point");
}

}  // namespace
}  // namespace attest::reports
