#include "kernels/regression/nadaraya_watson.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/regression/design.hpp"
#include "kernels/regression/population.hpp"
#include "tests/support/rounding.hpp"

namespace attest::regression {
namespace {

TEST(NadarayaWatson, is_the_smoother_matrix_times_the_responses) {
  const auto design = fixed_grid(beta_design(2, 3), 40);
  std::vector<double> responses;
  for (const double x : design) responses.push_back(std::sin(5 * x));
  const std::vector<double> points{0.1, 0.33, 0.8};
  for (const Kernel* kernel : all_kernels()) {
    for (const Form form : {Form::plain, Form::self_convolved, Form::twiced}) {
      const auto fitted = nadaraya_watson(*kernel, form, design, responses, points, 0.2);
      const Eigen::MatrixXd matrix = smoother_matrix(*kernel, form, design, points, 0.2);
      const Eigen::Map<const Eigen::VectorXd> y(responses.data(), 40);
      for (std::size_t i = 0; i < points.size(); ++i) {
        // The same weights and total; on both sides a product and an addition a term, and a division.
        const auto row = matrix.row(static_cast<Eigen::Index>(i));
        const double terms = static_cast<double>((row.array() != 0).count()), size = row.cwiseAbs().dot(y.cwiseAbs());
        EXPECT_NEAR(fitted[i], row.dot(y), 2 * (terms + 1) * tests::unit_roundoff * size) << kernel->name();
      }
    }
  }
}

TEST(NadarayaWatson, with_the_uniform_kernel_is_the_mean_of_the_window) {
  const std::vector<double> design{0, 1, 2, 3};
  const std::vector<double> responses{1, 2, 4, 8};
  const std::vector<double> points{1.5, 0.0, 10.0};
  const auto fitted = nadaraya_watson(find_kernel("uniform"), Form::plain, design, responses, points, 1.0);
  EXPECT_DOUBLE_EQ(fitted[0], 3.0);
  EXPECT_DOUBLE_EQ(fitted[1], 1.5);
  EXPECT_TRUE(std::isnan(fitted[2]));
}

TEST(NadarayaWatson, on_a_fine_grid_has_the_population_bias) {
  const Design f = beta_design(2, 2);
  constexpr int n = 20'000;
  const auto design = fixed_grid(f, n);
  const RegressionFunction m = sine(3);
  std::vector<double> responses;
  for (const double x : design) responses.push_back(m(x));
  const std::vector<double> points{0.05, 0.5};
  // The grid is a midpoint rule in the distribution function p. Its largest error is at 0, where the quantile grows
  // like sqrt(p/3): zeta(-1/2, 1/2) = 0.061 times n^-3/2, times the integrand's slope, at most 3, over a weight above
  // 0.06.
  const double discretisation = 0.061 * 3 / std::sqrt(3.0) / 0.06 * std::pow(n, -1.5);
  for (const Form form : {Form::plain, Form::twiced}) {
    const auto fitted = nadaraya_watson(find_kernel("biweight"), form, design, responses, points, 0.2);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double bias = population_bias(find_kernel("biweight"), form, m, f, points[i], 0.2).value;
      EXPECT_NEAR(fitted[i] - m(points[i]), bias, discretisation);
    }
  }
}

TEST(SmootherMatrix, squared_is_the_self_convolved_smoother_far_from_the_edges_of_a_fine_grid) {
  // Spectral accuracy of the Riemann sum for the Gaussian kernel: at step h/4 the aliasing term is exp(-2 pi^2 16).
  std::vector<double> grid;
  for (int i = -80; i <= 80; ++i) grid.push_back(i * 0.25);
  const Eigen::MatrixXd a = smoother_matrix(find_kernel("gaussian"), Form::plain, grid, grid, 1.0);
  const Eigen::MatrixXd twiced = smoother_matrix(find_kernel("gaussian"), Form::twiced, grid, grid, 1.0);
  const Eigen::RowVectorXd gap = (2 * a - a * a - twiced).row(80);
  // Three matrices with entries below 0.1, each by sums of 64 weights that are not negligible, whose roundings add up
  // like sqrt 64.
  constexpr double rounding = 3 * 0.1 * (8 + 2) * 3 * tests::unit_roundoff;
  EXPECT_LT(gap.cwiseAbs().maxCoeff(), rounding);
  // At the edge the two normalisations differ: the identity is one of the interior.
  EXPECT_GT((2 * a - a * a - twiced).row(0).cwiseAbs().maxCoeff(), 1e-3);
}

TEST(NadarayaWatson, refuses_unsorted_designs_and_missing_responses) {
  const std::vector<double> design{1, 0};
  const std::vector<double> points{0};
  EXPECT_THROW(nadaraya_watson(find_kernel("gaussian"), Form::plain, design, design, points, 1), std::invalid_argument);
  EXPECT_THROW(nadaraya_watson(find_kernel("gaussian"), Form::plain, points, design, points, 1), std::invalid_argument);
}

}  // namespace
}  // namespace attest::regression
