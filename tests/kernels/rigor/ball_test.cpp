#include "kernels/rigor/ball.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

namespace attest::rigor {
namespace {

// Of 128 bits at most 15 are lost.
constexpr double narrow = 0x1p-113;

// A radius has 30 bits and is rounded up, a few times per operation; relative to the size of the numbers.
constexpr double radius_rounding = 4 * 0x1p-30;

// A decimal known to 40 places stands for the interval of one unit in its last place.
void expect_is(const Ball& value, const std::string& forty_digits) {
  const Ball known = Ball::from_decimal("[" + forty_digits + " +/- 1e-39]");
  EXPECT_TRUE(overlaps(value, known)) << value.to_string(40) << " is not " << forty_digits;
  EXPECT_LT(value.radius(), narrow) << "the enclosure is too wide to tell";
}

TEST(Ball, encloses_known_decimals) {
  expect_is(Ball::pi(), "3.1415926535897932384626433832795028841972");
  expect_is(Ball::e(), "2.7182818284590452353602874713526624977572");
  expect_is(sqrt(Ball(2)), "1.4142135623730950488016887242096980785697");
  expect_is(log(Ball(2)), "0.6931471805599453094172321214581765680755");
  expect_is(exp(Ball(1)), "2.7182818284590452353602874713526624977572");
  expect_is(gamma(Ball(0.5)), "1.7724538509055160272981674833411451827975");
  expect_is(erf(Ball(1)), "0.8427007929497148693412206350826092592961");
  expect_is(tanh(Ball(1)), "0.7615941559557648881194582826047935904128");
  expect_is(beta(Ball(0.5), Ball(0.5)), "3.1415926535897932384626433832795028841972");
  expect_is(pow(Ball(2), 0.5), "1.4142135623730950488016887242096980785697");
}

TEST(Ball, holds_doubles_and_integers_exactly) {
  EXPECT_TRUE(Ball(0.1).is_exact());
  EXPECT_EQ(Ball(0.1).mid(), 0.1);
  EXPECT_EQ(Ball(0.1).lower(), 0.1);
  EXPECT_EQ(Ball(0.1).upper(), 0.1);
  const std::int64_t large = (std::int64_t{1} << 62) + 1;
  EXPECT_TRUE((Ball(large) - Ball(large - 1) - 1).contains_zero());
  EXPECT_TRUE(certainly_less(Ball(0.1), Ball(std::nextafter(0.1, 1.0))));
}

TEST(Ball, a_tenth_is_not_the_double_nearest_to_it) {
  const Ball tenth = Ball::from_decimal("0.1");
  EXPECT_TRUE(overlaps(tenth, Ball::from_rational(1, 10)));
  EXPECT_TRUE(certainly_less(tenth, Ball(0.1)));
  EXPECT_FALSE(tenth.contains(0.1));
}

TEST(Ball, doubles_around_it_are_rounded_outwards) {
  const Ball third = Ball::from_rational(1, 3);
  EXPECT_LT(third.lower(), third.upper());
  EXPECT_TRUE(certainly_less(Ball(third.lower()), third));
  EXPECT_TRUE(certainly_less(third, Ball(third.upper())));
  EXPECT_EQ(std::nextafter(third.lower(), 1.0), third.upper());
}

TEST(Ball, answers_are_certain_or_false) {
  const Ball around_zero = Ball::hull(-1e-30, 1e-30);
  EXPECT_TRUE(around_zero.contains_zero());
  EXPECT_FALSE(around_zero.is_positive());
  EXPECT_FALSE(around_zero.is_negative());
  EXPECT_FALSE(certainly_less(around_zero, around_zero));
  EXPECT_FALSE(certainly_less_equal(around_zero, around_zero));
  EXPECT_TRUE(certainly_less_equal(Ball(1), Ball(1)));
  EXPECT_FALSE(certainly_less(Ball(1), Ball(1)));
}

TEST(Ball, what_is_undefined_is_not_finite_and_nothing_is_certain_about_it) {
  for (const Ball& undefined : {Ball(1) / Ball::hull(-1, 1), log(Ball::hull(-1, 1)), sqrt(Ball(-1)), Ball(NAN),
                                abs(Ball(NAN)), square(Ball(NAN)), Ball(1) / Ball(0)}) {
    EXPECT_FALSE(undefined.is_finite());
    EXPECT_FALSE(undefined.is_positive() || undefined.is_negative() || undefined.is_nonnegative());
    EXPECT_FALSE(certainly_less(undefined, Ball(1e300)) || certainly_less(Ball(-1e300), undefined));
    EXPECT_EQ(undefined.lower(), -std::numeric_limits<double>::infinity());
    EXPECT_EQ(undefined.upper(), std::numeric_limits<double>::infinity());
  }
}

TEST(Ball, squares_and_even_powers_of_wide_balls_do_not_reach_below_zero) {
  for (const double low : {-0.3, -1e-9, -7.0, 0.0, 1.0}) {
    const Ball wide = Ball::hull(low, 3.1);
    for (const Ball& power : {square(wide), pow(wide, 2), pow(wide, 4), abs(wide)}) {
      EXPECT_TRUE(power.is_nonnegative()) << power.to_string();
      EXPECT_TRUE(sqrt(power).is_finite());
    }
    EXPECT_TRUE(square(wide).contains(square(Ball(low))));
    EXPECT_TRUE(square(wide).contains(square(Ball(3.1))));
    EXPECT_TRUE(abs(wide).contains(abs(Ball(low))));
  }
  EXPECT_NEAR(square(Ball::hull(1, 3)).lower(), 1, 9 * radius_rounding);
}

TEST(Ball, a_base_reaching_zero_has_real_powers) {
  const Ball root = pow(Ball::hull(0, 4), Ball(0.5));
  EXPECT_TRUE(root.is_nonnegative());
  EXPECT_TRUE(root.contains(2.0));
  EXPECT_TRUE(root.contains(0.0));
  EXPECT_LT(root.upper(), 2 * (1 + radius_rounding));
  EXPECT_EQ(pow(Ball(0), Ball(0.5)).upper(), 0);
  EXPECT_FALSE(pow(Ball::hull(-1, 4), Ball(0.5)).is_finite());
}

TEST(Ball, a_hull_holds_both_ends_and_stays_on_their_side_of_zero) {
  for (const double low : {0.0, 1e-300, 1e-12, 0.1, 1.0}) {
    for (const double high : {1.0, 1.1, 1e9 + 0.1, 1e300}) {
      const Ball interval = Ball::hull(low, high);
      EXPECT_TRUE(interval.contains(low) && interval.contains(high)) << low << ' ' << high;
      EXPECT_TRUE(interval.is_nonnegative()) << low << ' ' << high;
      EXPECT_TRUE((-interval).is_nonpositive() && Ball::hull(-high, -low).is_nonpositive());
      EXPECT_LE(interval.upper(), high * (1 + radius_rounding));
    }
  }
  EXPECT_EQ(Ball::hull(0.25, 0.5).lower(), 0.25);
  EXPECT_EQ(Ball::hull(0.25, 0.5).upper(), 0.5);
}

TEST(Ball, products_and_quotients_of_wide_balls_are_tight) {
  const Ball a = Ball::hull(0, 3);
  const Ball b = Ball::hull(1, 5);
  EXPECT_TRUE((a * b).is_nonnegative() && (a / b).is_nonnegative());
  EXPECT_NEAR((a * b).upper(), 15, 15 * radius_rounding);
  EXPECT_NEAR((a / b).upper(), 3, 3 * radius_rounding);
  EXPECT_NEAR((b / Ball::hull(2, 4)).lower(), 0.25, 2.5 * radius_rounding);
  EXPECT_NEAR((Ball::hull(-2, 3) * b).lower(), -10, 15 * radius_rounding);
  EXPECT_NEAR((Ball::hull(-2, 3) * Ball::hull(-7, -1)).upper(), 14, 21 * radius_rounding);
  EXPECT_TRUE((a * Ball(0)).is_exact());
  EXPECT_FALSE((b / a).is_finite());
}

TEST(Ball, integer_powers_know_their_sign) {
  EXPECT_EQ(pow(Ball(-2), 3).mid(), -8);
  EXPECT_EQ(pow(Ball(-2), -2).mid(), 0.25);
  EXPECT_EQ(pow(Ball(0), 0).mid(), 1);
  EXPECT_FALSE(pow(Ball(0), -1).is_finite());
  EXPECT_FALSE(pow(Ball::hull(-1, 1), -2).is_finite());
}

TEST(Ball, precision_is_scoped_and_belongs_to_the_thread) {
  EXPECT_EQ(working_precision(), 128);
  {
    const PrecisionScope scope(400);
    EXPECT_GT(Ball::pi().relative_accuracy_bits(), 390);
    std::thread([] { EXPECT_EQ(working_precision(), 128); }).join();
  }
  EXPECT_LT(Ball::pi().relative_accuracy_bits(), 140);
  EXPECT_THROW(PrecisionScope(1), std::invalid_argument);
}

TEST(Ball, refuses_what_is_no_number) {
  EXPECT_THROW(Ball::from_decimal("0,1"), std::invalid_argument);
  EXPECT_THROW(Ball::from_rational(1, 0), std::invalid_argument);
}

}  // namespace
}  // namespace attest::rigor
