#include "kernels/regression/kernel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/regression/polynomial_kernel.hpp"
#include "kernels/regression/population.hpp"
#include "kernels/rigor/ball.hpp"
#include "tests/kernels/regression/quadrature_agreement.hpp"

namespace attest::regression {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Of 128 bits at most 28 are lost.
constexpr double narrow = 0x1p-100;

/// int u^k L(u) du by quadrature over the whole line.
Integral moment_by_quadrature(const Kernel& kernel, Form form, int k) {
  return convolve(
      kernel, form, [k](double t) { return std::pow(t, k); }, {}, -infinity, infinity, 0.0, 1.0);
}

TEST(Kernel, integrates_to_one_with_its_moments) {
  for (const Kernel* kernel : all_kernels()) {
    for (const int k : {0, 2, 4}) {
      if (std::isinf(kernel->moment(k))) continue;
      const Integral integral = moment_by_quadrature(*kernel, Form::plain, k);
      SCOPED_TRACE(kernel->name());
      expect_integral(integral, kernel->moment(k));
    }
    EXPECT_EQ(kernel->moment(1), 0.0);
    EXPECT_EQ(kernel->moment(3), 0.0);
  }
}

TEST(Kernel, has_textbook_moments) {
  EXPECT_EQ(find_kernel("gaussian").moment(2), 1.0);
  EXPECT_EQ(find_kernel("gaussian").moment(4), 3.0);
  EXPECT_DOUBLE_EQ(find_kernel("epanechnikov").moment(2), 0.2);
  EXPECT_DOUBLE_EQ(find_kernel("biweight").moment(2), 1.0 / 7);
  EXPECT_DOUBLE_EQ(find_kernel("triweight").moment(2), 1.0 / 9);
  EXPECT_DOUBLE_EQ(find_kernel("tricube").moment(2), 35.0 / 243);
  EXPECT_EQ(find_kernel("student").moment(4), infinity);
  EXPECT_EQ(find_kernel("cauchy").moment(2), infinity);
}

TEST(Kernel, has_textbook_roughness) {
  EXPECT_DOUBLE_EQ(find_kernel("gaussian").roughness(), 0.5 / std::sqrt(std::numbers::pi));
  EXPECT_DOUBLE_EQ(find_kernel("epanechnikov").roughness(), 0.6);
  EXPECT_DOUBLE_EQ(find_kernel("biweight").roughness(), 5.0 / 7);
  EXPECT_DOUBLE_EQ(find_kernel("triweight").roughness(), 350.0 / 429);
  EXPECT_DOUBLE_EQ(find_kernel("tricube").roughness(), 175.0 / 247);
  EXPECT_DOUBLE_EQ(find_kernel("logistic").roughness(), 1.0 / 6);
  EXPECT_DOUBLE_EQ(find_kernel("laplace").roughness(), 0.25);
}

TEST(Kernel, self_convolution_is_the_convolution_integral) {
  for (const Kernel* kernel : all_kernels()) {
    for (const double u : {0.0, 1e-9, 0.03, 0.5, 0.97, 1.0, 1.3, 1.9, 1.999, 2.0, 2.5, 7.0, -0.5, -1.7}) {
      std::vector<double> knots;
      for (const double knot : kernel->knots(Form::plain)) knots.insert(knots.end(), {knot, -knot});
      std::sort(knots.begin(), knots.end());
      const Integral integral = convolve(
          *kernel, Form::plain, [&](double v) { return kernel->value(v); }, knots, -kernel->radius(), kernel->radius(),
          u, 1.0);
      EXPECT_NEAR(kernel->self_convolution(u), integral.value,
                  Kernel::value_error * kernel->roughness() + 2 * integral.error)
          << kernel->name() << " at " << u;
    }
  }
}

TEST(Kernel, gaussian_convolved_with_itself_is_the_normal_density_of_variance_two) {
  const Kernel& gaussian = find_kernel("gaussian");
  // Two values of at most 0.29, with an exponential and a constant each of half a unit in the last place, 2^-55.
  constexpr double rounding = 4 * 0x1p-55;
  for (const double u : {0.0, 1.0, -3.0}) {
    EXPECT_NEAR(gaussian.self_convolution(u), std::exp(-u * u / 4) / std::sqrt(4 * std::numbers::pi), rounding);
  }
}

TEST(Kernel, uniform_convolved_with_itself_is_a_triangle_on_minus_two_to_two) {
  const Kernel& uniform = find_kernel("uniform");
  for (const double u : {0.0, 0.4, 1.0, -1.5, 2.0, 2.1}) {
    EXPECT_DOUBLE_EQ(uniform.self_convolution(u), std::max(0.0, (2 - std::abs(u)) / 4));
  }
}

TEST(Kernel, characteristic_function_is_the_cosine_transform) {
  for (const Kernel* kernel : all_kernels()) {
    EXPECT_NEAR(kernel->characteristic(0.0), 1.0, Kernel::value_error);
    std::vector<double> splits;  // a few waves of the fastest cosine each
    for (int t = -399; t < 400; ++t) splits.push_back(t);
    for (const double s : {0.01, 0.7, 3.0, -3.0, 11.0}) {
      // On the line, [-400, 400] leaves at most 1/(200 pi) of the Cauchy kernel, integrated by parts once over s.
      const double reach = std::min(400.0, kernel->radius());
      const Integral integral = convolve(
          *kernel, Form::plain, [s](double t) { return std::cos(s * t); }, splits, -reach, reach, 0.0, 1.0);
      const double tail = reach < 400 ? 0.0 : 2 * kernel->value(reach) * std::min(reach, 2 / std::abs(s));
      EXPECT_NEAR(kernel->characteristic(s), integral.value, Kernel::value_error + tail + integral.error)
          << kernel->name() << " at " << s;
    }
  }
}

TEST(Kernel, twicing_has_no_second_moment_and_fourth_moment_minus_six_times_the_squared_variance) {
  for (const Kernel* kernel : all_kernels()) {
    if (std::isinf(kernel->moment(2))) continue;
    const double variance = kernel->moment(2);
    SCOPED_TRACE(kernel->name());
    expect_integral(moment_by_quadrature(*kernel, Form::twiced, 0), 1);
    expect_integral(moment_by_quadrature(*kernel, Form::twiced, 2), 0, 0, variance);
    // Student: K has no fourth moment, but the tails of 2K and K*K cancel and leave one; the rounding of that
    // cancellation of u^4 against 1/u^4 is noise in the integrand.
    expect_integral(moment_by_quadrature(*kernel, Form::twiced, 4), -6 * variance * variance, 0, 0,
                    std::isinf(kernel->moment(4)) ? resolved_to_noise : resolved);
  }
}

TEST(Kernel, balls_enclose_the_doubles_and_are_narrow) {
  for (const Kernel* kernel : all_kernels()) {
    const double scale = kernel->roughness();
    for (const double u : {0.0, 1e-9, 0.3, 1.0, -1.4, 2.0, 3.5, 20.0}) {
      const rigor::Ball value = kernel->value(rigor::Ball(u));
      const rigor::Ball convolved = kernel->self_convolution(rigor::Ball(u));
      EXPECT_NEAR(value.mid(), kernel->value(u), Kernel::value_error * kernel->value(0.0)) << kernel->name();
      EXPECT_NEAR(convolved.mid(), kernel->self_convolution(u), Kernel::value_error * scale) << kernel->name() << u;
      EXPECT_LT(value.radius(), narrow) << kernel->name();
      EXPECT_LT(convolved.radius(), narrow) << kernel->name() << " at " << u;
      EXPECT_TRUE(rigor::overlaps(kernel->twicing(rigor::Ball(u)), 2 * value - convolved));
    }
    for (const double knot : {0.0, 1.0, 2.0}) {
      const rigor::Ball around = rigor::Ball::hull(knot - 0.25, knot + 0.125);
      for (const double u : {knot - 0.25, knot - 0.01, knot, knot + 0.125}) {
        EXPECT_TRUE(kernel->value(around).contains(kernel->value(rigor::Ball(u)))) << kernel->name();
        const rigor::Ball enclosure = kernel->self_convolution(around);
        EXPECT_TRUE(!enclosure.is_finite() || enclosure.contains(kernel->self_convolution(rigor::Ball(u))));
      }
    }
  }
}

TEST(Kernel, transforms_in_balls_enclose_the_characteristic_and_the_moment_generating_function) {
  for (const Kernel* kernel : all_kernels()) {
    for (const double s : {0.0, 0.01, 0.7, -3.0, 40.0}) {
      const rigor::Ball phi = kernel->characteristic(rigor::Ball(s));
      EXPECT_NEAR(phi.mid(), kernel->characteristic(s), Kernel::value_error) << kernel->name() << " at " << s;
      EXPECT_LT(phi.radius(), narrow) << kernel->name() << " at " << s;
    }
    EXPECT_TRUE(kernel->moment_generating(rigor::Ball(0.0)).contains(1.0));
    const rigor::Ball mgf = kernel->moment_generating(rigor::Ball(0.5));
    EXPECT_EQ(mgf.is_finite(), kernel->name() != "student" && kernel->name() != "cauchy");
    if (!mgf.is_finite()) continue;
    const Integral integral = convolve(
        *kernel, Form::plain, [](double t) { return std::exp(t / 2); }, {}, -infinity, infinity, 0.0, 1.0);
    SCOPED_TRACE(kernel->name());
    expect_integral(integral, mgf.mid());
  }
}

TEST(PolynomialKernel, integrates_its_pieces_exactly) {
  for (const PolynomialKernel* kernel : polynomial_kernels()) {
    EXPECT_TRUE(kernel->self_convolution_moment(0).contains(1.0)) << kernel->name();
    EXPECT_TRUE(rigor::overlaps(kernel->self_convolution_moment(2), 2 * kernel->moment_ball(2))) << kernel->name();
    EXPECT_LT(kernel->self_convolution_moment(4).radius(), narrow);
    SCOPED_TRACE(kernel->name());
    expect_integral(twicing_roughness(*kernel), kernel->twicing_roughness_ball().mid());
  }
  EXPECT_TRUE(rigor::overlaps(polynomial_kernels()[0]->twicing_roughness_ball(), rigor::Ball::from_rational(5, 6)));
}

TEST(Kernel, refuses_unknown_names_orders_and_unnormalised_polynomials) {
  EXPECT_THROW(find_kernel("gauss"), std::invalid_argument);
  EXPECT_THROW(find_kernel("gaussian").moment(5), std::invalid_argument);
  EXPECT_THROW(PolynomialKernel("wrong", {1, 0, -1}, 2, 3), std::invalid_argument);
}

}  // namespace
}  // namespace attest::regression
