#include "kernels/svr/point_kernels.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/svr/solver.hpp"
#include "tests/kernels/counter_uniform.hpp"

namespace attest::svr {
namespace {

constexpr std::size_t n = 103, dimension = 3;
constexpr double gamma = 0.7;

std::vector<double> points() {
  std::vector<double> x(n * dimension);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 4 * counter_uniform(1, i) - 2;
  return x;
}

TEST(GaussianGram, is_the_exponential_of_squared_distances) {
  const auto x = points();
  Gram gram = gaussian_gram(x, dimension, gamma);
  ASSERT_EQ(gram.size(), n);
  for (std::size_t j = 0; j < n; ++j) {
    EXPECT_EQ(gram.diagonal(j), 1);
    for (std::size_t i = 0; i < n; ++i) {
      double squares = 0;
      for (std::size_t k = 0; k < dimension; ++k) squares += std::pow(x[i * dimension + k] - x[j * dimension + k], 2);
      const double expected = std::exp(-gamma * squares);
      ASSERT_NEAR(gram.column(j)[i], expected, 0x1p-50 * (dimension + 3) * std::fmax(1, gamma * squares) * expected);
    }
  }
}

TEST(GaussianGram, gives_the_same_solution_however_few_columns_are_kept) {
  std::vector<double> targets(n);
  for (std::size_t i = 0; i < n; ++i) targets[i] = std::sin(0.3 * static_cast<double>(i));
  std::vector<double> expected;
  for (const std::size_t kept : {n, std::size_t{7}, std::size_t{2}}) {
    Problem problem{gaussian_gram(points(), dimension, gamma, kept), targets, 0.1, 2.0, true};
    const Solution solution = solve(problem, {.tolerance = 1e-10});
    EXPECT_EQ(solution.status, Status::converged);
    if (expected.empty()) expected = solution.beta;
    EXPECT_EQ(solution.beta, expected) << kept;
  }
}

TEST(GaussianGram, refuses_what_has_no_kernel) {
  EXPECT_THROW(gaussian_gram({}, 1, 1), std::invalid_argument);
  EXPECT_THROW(gaussian_gram({1, 2, 3}, 2, 1), std::invalid_argument);
  EXPECT_THROW(gaussian_gram({1, std::numeric_limits<double>::quiet_NaN()}, 1, 1), std::invalid_argument);
  EXPECT_THROW(gaussian_gram({1, 2}, 1, 0), std::invalid_argument);
  EXPECT_THROW(gaussian_gram({1, 2}, 1, 1, 1), std::invalid_argument);
}

}  // namespace
}  // namespace attest::svr
