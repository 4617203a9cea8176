#include "kernels/statistics/regression.hpp"

#include <cmath>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/rounding.hpp"

namespace attest::statistics {
namespace {

using tests::unit_roundoff;

// Nine points over 11 units of log x: logarithms below 14 err by 14 units of roundoff, which the slope's weights (of
// sum 0.24) and their nine roundings make 20. The intercept, 8 units away from the points, errs by 200.
constexpr double exponent_rounding = 20 * unit_roundoff, log_rounding = 200 * unit_roundoff;

std::vector<RatePoint> power_law(double constant, double exponent, double uncertainty) {
  std::vector<RatePoint> points;
  for (double x = 10; x < 1e6; x *= 4) {
    const double y = constant * std::pow(x, exponent);
    points.push_back({x, {y * (1 - uncertainty), y * (1 + uncertainty)}});
  }
  return points;
}

TEST(FitPowerLaw, recovers_an_exact_power_law) {
  const PowerLaw law = fit_power_law(power_law(3, -0.5, 0));
  EXPECT_NEAR(law.exponent, -0.5, exponent_rounding);
  EXPECT_NEAR(law.constant, 3, 3 * log_rounding);
  EXPECT_LT(law.largest_residual, log_rounding);
}

TEST(FitPowerLaw, encloses_the_exponent_of_every_curve_through_the_intervals) {
  std::vector<RatePoint> points = power_law(3, -0.5, 0.05);
  const PowerLaw law = fit_power_law(points);
  for (unsigned pattern = 0; pattern < (1U << points.size()); ++pattern) {
    std::vector<RatePoint> corner = points;
    for (std::size_t i = 0; i < corner.size(); ++i) {
      const double y = (pattern >> i & 1U) != 0 ? points[i].y.upper : points[i].y.lower;
      corner[i].y = {y, y};
    }
    const PowerLaw exact = fit_power_law(corner);
    ASSERT_GE(exact.exponent, law.exponent_interval.lower - exponent_rounding);
    ASSERT_LE(exact.exponent, law.exponent_interval.upper + exponent_rounding);
    ASSERT_GE(exact.constant, law.constant_interval.lower * (1 - log_rounding));
    ASSERT_LE(exact.constant, law.constant_interval.upper * (1 + log_rounding));
  }
  EXPECT_LT(law.exponent_interval.width(), 0.05);
}

TEST(LocalExponents, show_the_drift_that_one_fit_hides) {
  std::vector<RatePoint> points;
  for (double x = 10; x < 1e5; x *= 10) points.push_back({x, {1 / x + 1 / std::sqrt(x), 1 / x + 1 / std::sqrt(x)}});
  const auto exponents = local_exponents(points);
  EXPECT_LT(exponents.front().upper, -0.55);
  // Between 1000 and 10 000 the second term is left: log10 of (1 + 10^-2) over (1 + 10^-1.5).
  EXPECT_NEAR(exponents.back().lower, -0.5 + std::log10(1.01 / (1 + std::pow(10, -1.5))), exponent_rounding);
}

TEST(FitPowerLaw, refuses_points_that_have_no_logarithm) {
  EXPECT_THROW(fit_power_law(std::vector<RatePoint>{{1, {1, 1}}}), std::invalid_argument);
  EXPECT_THROW(fit_power_law(std::vector<RatePoint>{{1, {1, 1}}, {2, {0, 1}}}), std::invalid_argument);
  EXPECT_THROW(fit_power_law(std::vector<RatePoint>{{1, {1, 1}}, {2, {NAN, 1}}}), std::invalid_argument);
  EXPECT_THROW(fit_power_law(std::vector<RatePoint>{{2, {1, 1}}, {2, {1, 1}}}), std::invalid_argument);
  EXPECT_THROW(local_exponents(std::vector<RatePoint>{{2, {1, 1}}, {1, {1, 1}}}), std::invalid_argument);
}

// n^(1/2) e^-n n^n / n! tends to 1/sqrt(2 pi) with an expansion in 1/n.
TEST(Richardson, finds_stirlings_constant_within_its_error_estimate) {
  std::vector<double> values;
  for (double n = 4; n <= 256; n *= 2)
    values.push_back(std::exp(n * std::log(n) - n + 0.5 * std::log(n) - std::lgamma(n + 1)));
  // The exponent has terms up to n log n < 1500, each rounded.
  constexpr double rounding = 4 * 1500 * 0x1p-53;
  const Extrapolation result = richardson(values, 2, 1, 1, rounding);
  const double limit = 1 / std::sqrt(2 * std::acos(-1.0));
  EXPECT_LE(std::abs(result.limit - limit), result.error);
  // The tableau multiplies roundings by 3 (5/3) (9/7) (17/15) ... < 8.1; its last changes are smaller by far.
  EXPECT_LT(result.error, 8.1 * rounding);
  EXPECT_GT(std::abs(values.back() - limit), 1e-5);
}

TEST(Aitken, finds_the_limit_of_a_linearly_convergent_sequence_within_its_error_estimate) {
  std::vector<double> values;
  for (int n = 0; n < 12; ++n) values.push_back(2 + std::pow(0.6, n) + 0.5 * std::pow(0.3, n));
  const Extrapolation result = aitken(values);
  EXPECT_LE(std::abs(result.limit - 2), result.error);
  EXPECT_LT(std::abs(result.limit - 2), std::abs(values.back() - 2) / 10);
}

TEST(Extrapolation, refuses_too_few_or_non_finite_values) {
  EXPECT_THROW(richardson(std::vector<double>{1, 2}, 2, 1, 1, 0), std::invalid_argument);
  EXPECT_THROW(richardson(std::vector<double>{1, 2, NAN}, 2, 1, 1, 0), std::invalid_argument);
  EXPECT_THROW(aitken(std::vector<double>{1, 2, 3}), std::invalid_argument);
}

}  // namespace
}  // namespace attest::statistics
