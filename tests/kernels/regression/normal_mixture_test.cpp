#include "kernels/regression/normal_mixture.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/regression/kernel.hpp"
#include "kernels/regression/quadrature.hpp"
#include "kernels/rigor/ball.hpp"
#include "tests/kernels/regression/quadrature_agreement.hpp"

namespace attest::regression {
namespace {

const NormalMixture<double> lopsided({{0.75, 0.5, 0.25}, {0.25, -1.0, 2.0}});

TEST(NormalMixture, moments_and_inner_products_are_the_integrals) {
  const std::vector<double> line{-std::numeric_limits<double>::infinity(), -1, 0, 1,
                                 std::numeric_limits<double>::infinity()};
  const NormalMixture<double> twicing = twiced(lopsided);
  for (int k = 0; k <= 4; ++k) {
    const Integral integral = integrate([&](double u) { return std::pow(u, k) * twicing.value(u); }, line);
    const Integral size = integrate([&](double u) { return std::fabs(std::pow(u, k) * twicing.value(u)); }, line);
    SCOPED_TRACE(k);
    expect_integral(integral, twicing.moment(k), 0, size.value);
  }
  const Integral product = integrate([&](double u) { return twicing.value(u) * lopsided.value(u); }, line);
  expect_integral(product, twicing.inner_product(lopsided));
}

TEST(NormalMixture, of_two_mirror_images_is_the_bimodal_kernel) {
  const NormalMixture<double> bimodal = NormalMixture<double>({{1.0, 1.0, 0.25}}).symmetrised();
  for (const double u : {0.0, 0.4, -2.0}) {
    EXPECT_DOUBLE_EQ(bimodal.value(u), find_kernel("bimodal").value(u));
    EXPECT_DOUBLE_EQ(twiced(bimodal).value(u), find_kernel("bimodal").twicing(u));
  }
}

TEST(NormalMixture, in_balls_encloses_the_doubles) {
  const NormalMixture<rigor::Ball> balls({{0.75, 0.5, 0.25}, {0.25, -1.0, 2.0}});
  // Sums of six terms of both signs, each with at most six roundings: values below 1, fourth moments below 3 * 4^2 * 2.
  constexpr double rounding = 2 * 6 * tests::unit_roundoff;
  EXPECT_NEAR(twiced(balls).value(0.3).mid(), twiced(lopsided).value(0.3), rounding);
  EXPECT_NEAR(twiced(balls).moment(4).mid(), twiced(lopsided).moment(4), 96 * rounding);
}

TEST(NormalMixture, refuses_orders_beyond_four) { EXPECT_THROW(lopsided.moment(5), std::invalid_argument); }

}  // namespace
}  // namespace attest::regression
