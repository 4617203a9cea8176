#include "kernels/rigor/rational.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

namespace attest::rigor {
namespace {

TEST(Rational, decimals_are_read_exactly) {
  EXPECT_EQ(Rational::from_text("0.71"), Rational(71, 100));
  EXPECT_EQ(Rational::from_text("-2.5e-3"), Rational(-1, 400));
  EXPECT_EQ(Rational::from_text("22/7"), Rational(22, 7));
  EXPECT_EQ(Rational::from_text("1e3"), Rational(1000));
  EXPECT_EQ(Rational::from_text("1E+2"), Rational(100));
}

TEST(Rational, what_is_not_a_number_is_refused) {
  for (const char* text : {"", "-", "1/0", "1.2.3", "0x10", "1e", "1e9999999", "1/-2", "a", ".", "1 2"})
    EXPECT_THROW(Rational::from_text(text), std::invalid_argument) << text;
  EXPECT_THROW(Rational::from_double(std::numeric_limits<double>::infinity()), std::invalid_argument);
  EXPECT_THROW(Rational(1) / Rational(0), std::invalid_argument);
}

TEST(Rational, arithmetic_is_exact) {
  EXPECT_EQ(Rational(1, 3) + Rational(1, 6), Rational(1, 2));
  EXPECT_EQ(Rational(2, 4), Rational(1, 2));
  EXPECT_EQ(Rational(1, -2), Rational(-1, 2));
  EXPECT_LT(Rational(1, 3), Rational(34, 100));
}

TEST(Rational, a_double_is_itself) {
  EXPECT_EQ(Rational::from_double(0x1p-1074) * Rational::from_double(std::ldexp(1, 1000)),
            Rational::from_double(0x1p-74));
  EXPECT_EQ(Rational::from_double(0.1).to_double(), 0.1);
  EXPECT_NE(Rational::from_double(0.1), Rational(1, 10));
}

TEST(Rational, prints_decimals_where_they_end) {
  EXPECT_EQ(Rational(71, 100).to_string(), "0.71");
  EXPECT_EQ(Rational(-1, 400).to_string(), "-0.0025");
  EXPECT_EQ(Rational(1, 3).to_string(), "1/3");
  EXPECT_EQ(Rational(7).to_string(), "7");
}

TEST(Rational, encloses_itself) {
  EXPECT_TRUE(Rational(1, 2).to_ball().is_exact());
  const Ball third = Rational(1, 3).to_ball();
  EXPECT_TRUE((third * Ball(3)).contains(1.0));
  EXPECT_EQ(Rational(-5).to_integer(), -5);
  EXPECT_THROW(Rational(1, 2).to_integer(), std::out_of_range);
}

}  // namespace
}  // namespace attest::rigor
