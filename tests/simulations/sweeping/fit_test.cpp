#include "simulations/sweeping/fit.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/rounding.hpp"

namespace attest::sweeps {
namespace {

using quantities::Outcome;

template <class Law>
Trace trace_of(Law law) {
  Trace trace;
  for (const double x : {10.0, 100.0, 1000.0, 10000.0}) {
    trace.x.push_back(x);
    trace.y.push_back({law(x), {law(x) * 0.99, law(x) * 1.01}});
  }
  return trace;
}

// Four points with logarithms below 10 and a few operations each.
constexpr double rounding = 4 * 10 * tests::unit_roundoff;

TEST(Fit, finds_the_exponent_of_a_power_law_within_its_interval) {
  const auto fits = fit_power_law_of(trace_of([](double x) { return 3 / std::sqrt(x); }), "N");
  ASSERT_EQ(fits.size(), 1U);
  const Outcome& exponent = fits[0].terms[0].second;
  // The intervals' logarithmic middles are all off by the same.
  EXPECT_NEAR(exponent.value, -0.5, rounding);
  EXPECT_TRUE(exponent.interval.contains(-0.5));
  EXPECT_LT(exponent.interval.width(), 0.01);
}

TEST(Fit, finds_a_root_law) {
  const auto fits = fit_root_law_of(trace_of([](double x) { return 2 / std::sqrt(x) + 0.25; }), "N");
  ASSERT_EQ(fits.size(), 1U);
  EXPECT_NEAR(fits[0].terms[0].second.value, 2, 2 * rounding);
  EXPECT_NEAR(fits[0].terms[1].second.value, 0.25, 2 * rounding);
}

TEST(Fit, needs_three_points_that_are_positive) {
  Trace trace = trace_of([](double x) { return x; });
  trace.y[0].interval.lower = -1;
  trace.y[1] = Outcome::exact(std::nan(""));
  EXPECT_TRUE(fit_power_law_of(trace, "N").empty());
}

}  // namespace
}  // namespace attest::sweeps
