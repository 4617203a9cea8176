#include "theorems/twicing/bias_setting.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace attest::twicing {
namespace {

using regression::find_kernel;
using regression::Form;
using rigor::Ball;

TEST(BiasSetting, design_derivatives_are_the_expanded_products) {
  const BiasSetting s = sloping_setting(find_kernel("gaussian"));
  const auto slope = [&](int k) { return s.f.derivative(s.x, k) / s.f.derivative(s.x, 0); };
  EXPECT_TRUE(rigor::overlaps(s.design_derivative(2), s.derivative(2) + 2 * s.derivative(1) * slope(1)));
  EXPECT_TRUE(rigor::overlaps(s.design_derivative(4), s.derivative(4) + 4 * s.derivative(3) * slope(1) +
                                                          6 * s.derivative(2) * slope(2) +
                                                          4 * s.derivative(1) * slope(3)));
}

TEST(BiasSetting, design_terms_are_away_from_zero_at_the_judged_point) {
  // Otherwise an expansion without them could pass there.
  const BiasSetting s = sloping_setting(find_kernel("gaussian"));
  for (const int k : {2, 4}) {
    EXPECT_GT(std::abs(s.derivative(k).mid()), 0.05) << k;
    EXPECT_GT(std::abs((s.design_derivative(k) - s.derivative(k)).mid()), 0.05) << k;
  }
}

TEST(BiasSetting, bias_is_the_leading_term_at_a_small_bandwidth) {
  for (const BiasSetting& s : bias_settings()) {
    const double n = 1000;
    const Ball leading = s.kernel->moment_ball(2) / 2 * s.design_derivative(2) / (n * n);
    // The next terms of numerator and denominator, twice, for those that follow.
    const Ball next = (s.kernel->moment_ball(4) / 24 * s.design_derivative(4) /
                           (s.kernel->moment_ball(2) / 2 * s.design_derivative(2)) -
                       s.kernel->moment_ball(2) / 2 * s.f.derivative(s.x, 2) / s.f.derivative(s.x, 0)) /
                      (n * n);
    EXPECT_NEAR((s.bias(Form::plain, n) / leading).mid(), 1.0, 2 * abs(next).mid()) << s.name;
    // What follows is next/n^2 times constants of kernel and design, which are below 10^4.
    const double following = abs(next).mid() * 1e4 / (n * n);
    EXPECT_NEAR((s.bias(Form::plain, n) / leading).mid(), (1 + next).mid(), following) << s.name;
  }
}

}  // namespace
}  // namespace attest::twicing
