#include "kernels/regression/population.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/kernels/regression/quadrature_agreement.hpp"

namespace attest::regression {
namespace {

TEST(PopulationBias, of_a_parabola_on_the_uniform_line_is_the_second_moment) {
  for (const Kernel* kernel : all_kernels()) {
    if (std::isinf(kernel->moment(2))) continue;
    const Integral plain = population_bias(*kernel, Form::plain, polynomial({1, 2, 3}), uniform_line(), 0.3, 0.5);
    SCOPED_TRACE(kernel->name());
    expect_integral(plain, 3 * 0.25 * kernel->moment(2));
    const Integral twiced = population_bias(*kernel, Form::twiced, polynomial({1, 2, 3}), uniform_line(), 0.3, 0.5);
    expect_integral(twiced, 0);
  }
}

TEST(PopulationBias, of_a_sine_is_its_damping_by_the_characteristic_function) {
  for (const Kernel* kernel : all_kernels()) {
    if (std::isinf(kernel->moment(4))) continue;  // algebraic tails times a sine need an oscillatory rule
    const double damping = kernel->characteristic(0.8 * 1.5);
    const double m = std::sin(1.5 * 0.4);
    SCOPED_TRACE(kernel->name());
    expect_integral(population_bias(*kernel, Form::plain, sine(1.5), uniform_line(), 0.4, 0.8), (damping - 1) * m,
                    Kernel::value_error);
    expect_integral(population_bias(*kernel, Form::twiced, sine(1.5), uniform_line(), 0.4, 0.8),
                    -(1 - damping) * (1 - damping) * m, 2 * Kernel::value_error);
  }
}

TEST(PopulationBias, of_a_line_under_a_normal_design_is_the_posterior_shrinkage) {
  // Gaussian kernel, m(t) = t, f = N(0, s^2): E = x s^2/(s^2 + h^2).
  const double s = 1.3;
  const double h = 0.6;
  const double x = 0.9;
  const Integral bias =
      population_bias(find_kernel("gaussian"), Form::plain, polynomial({0, 1}), normal_design(0, s), x, h);
  expect_integral(bias, x * s * s / (s * s + h * h) - x, 4 * tests::unit_roundoff * x);
}

TEST(PopulationBias, of_an_exponential_under_an_exponential_design_is_a_ratio_of_moment_generating_functions) {
  // L_h * e^{ct} = M(ch) e^{cx}: bias = e^{bx} (M((a+b)h)/M(ah) - 1) with M(c) = e^{c^2/2} for the Gaussian kernel.
  const double a = 0.7;
  const double b = -0.4;
  const double h = 0.3;
  const auto mgf = [](double c) { return std::exp(c * c / 2); };
  const Integral bias =
      population_bias(find_kernel("gaussian"), Form::plain, exponential(b), exponential_line(a), 0.2, h);
  // The quotient is near 1, with five roundings.
  expect_integral(bias, std::exp(b * 0.2) * (mgf((a + b) * h) / mgf(a * h) - 1), 5 * tests::unit_roundoff);
}

TEST(PopulationBias, at_the_edge_of_a_uniform_design_is_of_first_order) {
  // At x = 0 only t > 0 counts: bias of m(t) = t is h int_0^1 2 K(u) u du = 3h/8 for the Epanechnikov kernel.
  const Integral bias =
      population_bias(find_kernel("epanechnikov"), Form::plain, polynomial({0, 1}), uniform_interval(0, 1), 0.0, 0.2);
  expect_integral(bias, 0.2 * 3 / 8);
}

TEST(PopulationBias, of_a_kink_at_the_kink_is_the_absolute_moment) {
  const Integral bias = population_bias(find_kernel("gaussian"), Form::plain, kink(0.5), uniform_line(), 0.5, 0.1);
  expect_integral(bias, 0.1 * std::sqrt(2 / std::numbers::pi));
}

TEST(PopulationBias, refuses_a_bandwidth_that_is_not_positive) {
  EXPECT_THROW(population_bias(find_kernel("gaussian"), Form::plain, sine(1), uniform_line(), 0, 0),
               std::invalid_argument);
}

TEST(TwicingRoughness, has_closed_forms) {
  expect_integral(twicing_roughness(find_kernel("gaussian")),
                  (4 - 8 / std::sqrt(6.0) + 1 / std::sqrt(2.0)) / (2 * std::sqrt(std::numbers::pi)),
                  4 * tests::unit_roundoff);
  expect_integral(twicing_roughness(find_kernel("laplace")), 13.0 / 32);
  expect_integral(twicing_roughness(find_kernel("cauchy")), 11.0 / (12 * std::numbers::pi));
  expect_integral(twicing_roughness(find_kernel("uniform")), 2 - 1.5 + 1.0 / 3);
}

}  // namespace
}  // namespace attest::regression
