#include "kernels/regression/design.hpp"

#include <cmath>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/regression/quadrature.hpp"
#include "tests/kernels/regression/difference_quotient.hpp"
#include "tests/kernels/regression/quadrature_agreement.hpp"

namespace attest::regression {
namespace {

TEST(Design, densities_integrate_to_the_distribution_that_the_quantiles_invert) {
  for (const Design& f : {uniform_interval(-1, 3), normal_design(0.5, 2), beta_design(2, 3), beta_design(1, 1)}) {
    for (const double p : {0.01, 0.3, 0.5, 0.99}) {
      const double end = f.quantile(p), quantile_rounding = 16 * tests::unit_roundoff * std::fabs(end) * f(end);
      const std::vector<double> splits{f.lower, end};
      SCOPED_TRACE(f.name);
      expect_integral(integrate(f, splits), p, quantile_rounding);
    }
  }
}

TEST(Design, derivatives_are_those_of_the_density) {
  for (const Design& f : {normal_design(0.5, 2), beta_design(3, 4), exponential_line(-0.5), uniform_line()}) {
    for (int k = 1; k <= 4; ++k) {
      // The largest fifth derivative is that of the polynomial 60 x^2 (1-x)^3, and its third has terms up to 60 * 28.8.
      constexpr double error = slope_error(60 * 120, 60 * 28.8);
      EXPECT_NEAR(f.density(0.4, k), slope([&](double t) { return f.density(t, k - 1); }, 0.4), error)
          << f.name << " order " << k;
    }
  }
}

TEST(Design, grids_and_random_points_follow_the_quantiles) {
  EXPECT_EQ(fixed_grid(uniform_interval(0, 1), 4), (std::vector<double>{0.125, 0.375, 0.625, 0.875}));
  const std::vector<double> uniforms{0.9, 0.5};
  EXPECT_EQ(random_points(uniform_interval(0, 2), uniforms), (std::vector<double>{1.0, 1.8}));
}

TEST(Design, refuses_points_from_an_improper_density_and_impossible_parameters) {
  EXPECT_THROW(fixed_grid(uniform_line(), 3), std::invalid_argument);
  EXPECT_THROW(fixed_grid(uniform_interval(0, 1), 0), std::invalid_argument);
  EXPECT_THROW(uniform_interval(1, 1), std::invalid_argument);
  EXPECT_THROW(beta_design(0, 1), std::invalid_argument);
  EXPECT_THROW(normal_design(0, 0), std::invalid_argument);
}

}  // namespace
}  // namespace attest::regression
