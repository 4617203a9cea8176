#include "kernels/regression/trigonometric_sum.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "kernels/regression/population.hpp"

namespace attest::regression {
namespace {

TEST(TrigonometricSum, derivatives_and_products_are_those_of_cosines) {
  const TrigonometricSum a({{2.0, 1.5, 0.25}});
  const TrigonometricSum b({{1.0, 0.0, 0.0}, {0.5, 0.75, -1.0}});
  const double t = 0.7;
  EXPECT_NEAR(a.derivative(t, 0).mid(), 2 * std::cos(1.5 * t + 0.25), 1e-15);
  EXPECT_NEAR(a.derivative(t, 1).mid(), -3 * std::sin(1.5 * t + 0.25), 1e-15);
  EXPECT_NEAR(a.derivative(t, 2).mid(), -4.5 * std::cos(1.5 * t + 0.25), 1e-15);
  EXPECT_NEAR(a.derivative(t, 3).mid(), 6.75 * std::sin(1.5 * t + 0.25), 1e-14);
  EXPECT_NEAR((a * b).derivative(t, 0).mid(), a.derivative(t, 0).mid() * b.derivative(t, 0).mid(), 1e-15);
}

TEST(PopulationBias, in_balls_agrees_with_quadrature_under_a_periodic_design) {
  const TrigonometricSum wave({{1.0, 1.5, 0.25}});
  const TrigonometricSum periodic({{1.0, 0.0, 0.0}, {0.5, 1.0, 0.0}});
  const RegressionFunction m{"cosine", [](double t, int) { return std::cos(1.5 * t + 0.25); }, 4, {}};
  const Design f{"periodic", -INFINITY, INFINITY, [](double t, int) { return 1 + 0.5 * std::cos(t); }, {}};
  for (const Kernel* kernel : all_kernels()) {
    if (std::isinf(kernel->moment(4))) continue;  // algebraic tails times a cosine need an oscillatory rule
    for (const Form form : {Form::plain, Form::self_convolved, Form::twiced}) {
      const rigor::Ball enclosure = population_bias(*kernel, form, wave, periodic, 0.3, 0.5);
      EXPECT_NEAR(enclosure.mid(), population_bias(*kernel, form, m, f, 0.3, 0.5).value, 1e-12) << kernel->name();
      EXPECT_LT(enclosure.radius(), 1e-30);
    }
  }
}

}  // namespace
}  // namespace attest::regression
