#include "kernels/regression/regression_function.hpp"

#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

namespace attest::regression {
namespace {

TEST(RegressionFunction, derivatives_are_the_slopes_of_the_order_below) {
  for (const RegressionFunction& m : {polynomial({1, -2, 0.5, 3, -1, 2}), sine(1.7, 0.3), exponential(-0.8), bump(0.6),
                                      kink(0.25, 0), kink(0.25, 1)}) {
    for (const double x : {-0.9, 0.1, 0.7}) {
      for (int k = 1; k <= 4; ++k) {
        // Central differences of order 4 with step 1e-3: truncation below 1e-10 for these functions, rounding 1e-12.
        const double d = 1e-3;
        const double slope = (8 * (m.derivative(x + d, k - 1) - m.derivative(x - d, k - 1)) -
                              (m.derivative(x + 2 * d, k - 1) - m.derivative(x - 2 * d, k - 1))) /
                             (12 * d);
        EXPECT_NEAR(m.derivative(x, k), slope, 1e-7) << m.name << " order " << k << " at " << x;
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
