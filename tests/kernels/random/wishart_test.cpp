#include "kernels/random/wishart.hpp"

#include <cmath>
#include <stdexcept>

#include <boost/math/distributions/chi_squared.hpp>
#include <gtest/gtest.h>

#include "kernels/random/normal_quantile.hpp"

namespace attest::random {
namespace {

constexpr int draws = 20'000;

TEST(ChiSquare, has_its_distribution_function) {
  constexpr double levels[] = {0.01, 0.1, 0.5, 0.9, 0.99};
  const double z = -normal_quantile(1e-9 / 2 / 20);
  for (const double nu : {0.3, 1.0, 2.0, 17.5}) {
    const boost::math::chi_squared law(nu);
    std::vector<double> x(draws);
    for (std::size_t s = 0; s < x.size(); ++s) {
      Stream stream(3, claim_key("chi-square"), s);
      x[s] = chi_square(stream, nu);
    }
    for (const double level : levels) {
      const double quantile = boost::math::quantile(law, level);
      double below = 0;
      for (const double value : x) below += value < quantile ? 1 : 0;
      EXPECT_LE(std::fabs(below / draws - level), z * std::sqrt(level * (1 - level) / draws)) << nu << ' ' << level;
    }
  }
}

// E W = n I, Var W_ii = 2 n, Var W_ij = n.
TEST(Wishart, has_the_moments_of_its_entries_and_of_its_determinant) {
  constexpr double n = 4.5;
  const double z = -normal_quantile(1e-9 / 2 / 5);
  double diagonal = 0, beside = 0, product = 0, determinant = 0;
  for (std::uint64_t s = 0; s < draws; ++s) {
    Stream stream(3, claim_key("wishart"), s);
    const std::vector<double> w = wishart(stream, 2, n);
    EXPECT_EQ(w[1], w[2]);
    diagonal += w[3];
    beside += w[1];
    product += w[1] * w[1];
    determinant += w[0] * w[3] - w[1] * w[2];
  }
  EXPECT_LE(std::fabs(diagonal / draws - n), z * std::sqrt(2 * n / draws));
  EXPECT_LE(std::fabs(beside / draws), z * std::sqrt(n / draws));
  // E W_12^2 = n; E W_12^4 = 3 n (n + 2), by conditioning on one of the two rows.
  EXPECT_LE(std::fabs(product / draws - n), z * std::sqrt((3 * n * (n + 2) - n * n) / draws));
  // det W is a product of independent chi-squares of n and n - 1 degrees of freedom.
  const double mean = n * (n - 1), square = n * (n + 2) * (n - 1) * (n + 1);
  EXPECT_LE(std::fabs(determinant / draws - mean), z * std::sqrt((square - mean * mean) / draws));
}

TEST(Wishart, of_whole_degrees_of_freedom_is_the_law_of_a_gram_matrix) {
  // The trace of X^T X is chi-square of n d degrees of freedom: its share below the median.
  constexpr int n = 5, d = 3;
  const double median = boost::math::quantile(boost::math::chi_squared(n * d), 0.5);
  double below = 0;
  for (std::uint64_t s = 0; s < draws; ++s) {
    Stream stream(4, claim_key("wishart"), s);
    const std::vector<double> w = wishart(stream, d, n);
    below += w[0] + w[4] + w[8] < median ? 1 : 0;
  }
  EXPECT_LE(std::fabs(below / draws - 0.5), -normal_quantile(1e-9 / 2) * 0.5 / std::sqrt(draws));
}

TEST(Wishart, refuses_too_few_degrees_of_freedom) {
  Stream stream(1, 1, 1);
  EXPECT_THROW(wishart(stream, 3, 2), std::invalid_argument);
  EXPECT_THROW(wishart(stream, 0, 2), std::invalid_argument);
  EXPECT_THROW(chi_square(stream, 0), std::invalid_argument);
}

}  // namespace
}  // namespace attest::random
