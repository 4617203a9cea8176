#include "kernels/regression/regression_function.hpp"

#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/kernels/regression/difference_quotient.hpp"

namespace attest::regression {
namespace {

TEST(RegressionFunction, derivatives_are_the_slopes_of_the_order_below) {
  for (const RegressionFunction& m : {polynomial({1, -2, 0.5, 3, -1, 2}), sine(1.7, 0.3), exponential(-0.8), bump(0.6),
                                      kink(0.25, 0), kink(0.25, 1)}) {
    for (const double x : {-0.9, 0.1, 0.7}) {
      for (int k = 1; k <= 4; ++k) {
        // The largest eighth derivative is the bump's, at most 105/0.6^8; third derivatives of the polynomial of degree
        // 5 have terms up to 2 * 60 * 0.9^2.
        constexpr double error = slope_error(6300, 100);
        EXPECT_NEAR(m.derivative(x, k), slope([&](double t) { return m.derivative(t, k - 1); }, x), error)
            << m.name << " order " << k << " at " << x;
      }
    }
  }
}

TEST(RegressionFunction, kinks_have_the_smoothness_they_state) {
  EXPECT_EQ(kink(1.0).smoothness, 0);
  EXPECT_EQ(kink(1.0, 1).smoothness, 2);
  EXPECT_EQ(kink(1.0, 1).derivative(1.0, 3), 6.0);
  EXPECT_EQ(kink(1.0, 1).derivative(0.999, 3), -6.0);
}

TEST(RegressionFunction, refuses_what_it_cannot_be) {
  EXPECT_THROW(polynomial({}), std::invalid_argument);
  EXPECT_THROW(bump(0), std::invalid_argument);
  EXPECT_THROW(kink(0, 2), std::invalid_argument);
}

}  // namespace
}  // namespace attest::regression
