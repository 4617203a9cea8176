// Coefficients of known series, exact and as balls, and what is not expanded.
#include "theorems/referee/proof/power_series.hpp"

#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace attest::referee {
namespace {

using language::Binary;
using language::Unary;
using rigor::Ball;
using rigor::Rational;

TEST(RationalSeries, HasTheCoefficientsOfKnownFunctions) {
  const RationalSeries t(Rational(0), 1);
  const std::vector<std::pair<Unary, std::vector<Rational>>> known = {
      {Unary::exp, {1, 1, Rational(1, 2), Rational(1, 6)}},
      {Unary::expm1, {0, 1, Rational(1, 2), Rational(1, 6)}},
      {Unary::log1p, {0, 1, Rational(-1, 2), Rational(1, 3)}},
      {Unary::sin, {0, 1, 0, Rational(-1, 6)}},
      {Unary::cos, {1, 0, Rational(-1, 2), 0}},
      {Unary::tanh, {0, 1, 0, Rational(-1, 3)}},
      {Unary::sigmoid, {Rational(1, 2), Rational(1, 4), 0, Rational(-1, 48)}},
      {Unary::silu, {0, Rational(1, 2), Rational(1, 4), 0}},
  };
  for (const auto& [f, coefficients] : known) {
    const auto series = apply(f, t);
    ASSERT_TRUE(series) << static_cast<int>(f);
    for (std::size_t k = 0; k < coefficients.size(); ++k)
      EXPECT_EQ(series->coefficient(static_cast<int>(k)), coefficients[k]) << static_cast<int>(f) << " " << k;
  }
}

TEST(RationalSeries, IsNotGuessedWhereCoefficientsAreNotRational) {
  const RationalSeries at_one(Rational(1), 1);
  for (const Unary f : {Unary::exp, Unary::sin, Unary::tanh, Unary::sigmoid, Unary::abs, Unary::relu, Unary::erf})
    EXPECT_FALSE(apply(f, at_one)) << static_cast<int>(f);
  EXPECT_FALSE(RationalSeries::constant(Ball::pi()));
  EXPECT_FALSE(apply(Binary::divide, at_one, RationalSeries(Rational(0), 1)));
}

TEST(BallSeries, EnclosesTheExactCoefficients) {
  const RationalSeries exact(Rational(0), 1);
  const BallSeries balls(Ball(0), 1);
  for (const Unary f : {Unary::exp, Unary::expm1, Unary::log1p, Unary::sin, Unary::cos, Unary::tan, Unary::asin,
                        Unary::atan, Unary::sinh, Unary::cosh, Unary::tanh, Unary::sigmoid, Unary::silu}) {
    const auto a = apply(f, exact);
    const auto b = apply(f, balls);
    ASSERT_TRUE(a && b) << static_cast<int>(f);
    for (int k = 0; k < series_terms; ++k) {
      const Ball enclosed = b->coefficient(k), number = a->coefficient(k).to_ball();
      EXPECT_TRUE(rigor::overlaps(enclosed, number)) << static_cast<int>(f) << " " << k;
    }
  }
}

TEST(BallSeries, OverAnIntervalEnclosesTheDerivativesInIt) {
  const BallSeries wide(Ball::hull(Ball(0.25), Ball(0.75)), 1);
  const BallSeries narrow(Ball(0.5), 1);
  for (const Unary f : {Unary::exp, Unary::log, Unary::sqrt, Unary::sin, Unary::tanh, Unary::softplus, Unary::acos}) {
    const auto all = apply(f, wide), one = apply(f, narrow);
    ASSERT_TRUE(all && one) << static_cast<int>(f);
    for (int k = 0; k < 4; ++k)
      EXPECT_TRUE(rigor::overlaps(all->coefficient(k), one->coefficient(k))) << static_cast<int>(f) << " " << k;
    EXPECT_GT(all->coefficient(1).radius(), one->coefficient(1).radius()) << static_cast<int>(f);
  }
}

TEST(PowerSeries, PowersAreProducts) {
  const RationalSeries u(Rational(2), 1);
  const auto cube = power(u, Rational(3)), inverse = power(u, Rational(-1));
  ASSERT_TRUE(cube && inverse);
  EXPECT_EQ(cube->coefficient(0), Rational(8));
  EXPECT_EQ(cube->coefficient(2), Rational(6));
  EXPECT_EQ(inverse->coefficient(1), Rational(-1, 4));
  const auto root = power(BallSeries(Ball(4), 1), Rational(1, 2));
  ASSERT_TRUE(root);
  EXPECT_TRUE(root->coefficient(1).contains(0.25));
  EXPECT_FALSE(power(BallSeries(Ball(0), 1), Rational(1, 2)));
}

}  // namespace
}  // namespace attest::referee
