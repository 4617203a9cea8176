#include "kernels/regression/design.hpp"

#include <cmath>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/regression/quadrature.hpp"

namespace attest::regression {
namespace {

TEST(Design, densities_integrate_to_the_distribution_that_the_quantiles_invert) {
  for (const Design& f : {uniform_interval(-1, 3), normal_design(0.5, 2), beta_design(2, 3), beta_design(1, 1)}) {
    for (const double p : {0.01, 0.3, 0.5, 0.99}) {
      const std::vector<double> splits{f.lower, f.quantile(p)};
      EXPECT_NEAR(integrate(f, splits).value, p, 1e-12) << f.name;
    }
  }
}

TEST(Design, derivatives_are_those_of_the_density) {
  for (const Design& f : {normal_design(0.5, 2), beta_design(3, 4), exponential_line(-0.5), uniform_line()}) {
    for (int k = 1; k <= 4; ++k) {
      // Central differences: exact to d^2/6 times a derivative below 1e4, and 1e-16 times 1e3 over d of rounding.
      const double d = 1e-4;
      const double slope = (f.density(0.4 + d, k - 1) - f.density(0.4 - d, k - 1)) / (2 * d);
      EXPECT_NEAR(f.density(0.4, k), slope, 1e-4) << f.name << " order " << k;
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
