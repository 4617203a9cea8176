#include "kernels/regression/trigonometric_sum.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "kernels/regression/population.hpp"
#include "tests/kernels/regression/quadrature_agreement.hpp"

namespace attest::regression {
namespace {

TEST(TrigonometricSum, derivatives_and_products_are_those_of_cosines) {
  const TrigonometricSum a({{2.0, 1.5, 0.25}});
  const TrigonometricSum b({{1.0, 0.0, 0.0}, {0.5, 0.75, -1.0}});
  const double t = 0.7;
  // The double's phase, 1.3, has two roundings, which its sine or cosine passes on; that and the product add one each.
  const double phase = 1.5 * t + 0.25, rounding = (2 * phase + 2) * tests::unit_roundoff;
  EXPECT_NEAR(a.derivative(t, 0).mid(), 2 * std::cos(phase), 2 * rounding);
  EXPECT_NEAR(a.derivative(t, 1).mid(), -3 * std::sin(phase), 3 * rounding);
  EXPECT_NEAR(a.derivative(t, 2).mid(), -4.5 * std::cos(phase), 4.5 * rounding);
  EXPECT_NEAR(a.derivative(t, 3).mid(), 6.75 * std::sin(phase), 6.75 * rounding);
  EXPECT_TRUE(rigor::overlaps((a * b).derivative(t, 0), a.derivative(t, 0) * b.derivative(t, 0)));
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
      SCOPED_TRACE(kernel->name());
      expect_integral(population_bias(*kernel, form, m, f, 0.3, 0.5), enclosure.mid());
      constexpr double narrow = 0x1p-100;  // of 128 bits at most 28 are lost
      EXPECT_LT(enclosure.radius(), narrow);
    }
  }
}

}  // namespace
}  // namespace attest::regression
