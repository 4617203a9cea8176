#include "kernels/svr/feature_map.hpp"

#include <cmath>
#include <numeric>
#include <set>
#include <stdexcept>

#include <gtest/gtest.h>

namespace attest::svr {
namespace {

double inner_product(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

TEST(FeatureMap, counts_monomials_like_the_list_of_exponents) {
  for (std::size_t dimension = 1; dimension <= 6; ++dimension) {
    for (unsigned degree = 0; degree <= 7; ++degree) {
      const auto list = exponents(dimension, degree);
      EXPECT_EQ(list.size(), monomial_count(dimension, degree));
      EXPECT_EQ(std::set(list.begin(), list.end()).size(), list.size());
      for (const auto& exponent : list) {
        EXPECT_EQ(std::accumulate(exponent.begin(), exponent.end(), 0U), degree);
      }
    }
  }
}

TEST(FeatureMap, counts_known_values) {
  EXPECT_EQ(monomial_count(64, 0), 1U);
  EXPECT_EQ(monomial_count(64, 1), 64U);
  EXPECT_EQ(monomial_count(64, 2), 2080U);
  EXPECT_EQ(monomial_count(3, 4), 15U);
  EXPECT_THROW(monomial_count(1000, 1000), std::overflow_error);
  EXPECT_THROW(monomial_count(0, 1), std::invalid_argument);
}

TEST(FeatureMap, reproduces_the_truncated_exponential_of_the_scaled_inner_product) {
  const std::vector<double> x{0.7, -1.1, 0.4};
  const std::vector<double> y{-0.3, 0.9, 1.3};
  const double scale = std::pow(3.0, -0.25);
  for (unsigned degree = 0; degree <= 10; ++degree) {
    const FeatureMap map(3, degree, scale);
    const double u = scale * scale * inner_product(x, y);
    // 286 features at most; each carries about 2 degree + 3 roundings, relative to the sum of absolute terms <=
    // e^{|x||y|}.
    const double rounding = (2 * degree + 300.0) * 0x1p-53 * std::exp(1.5);
    EXPECT_NEAR(inner_product(map(x), map(y)), truncated_exponential(u, degree), rounding);
  }
}

TEST(FeatureMap, stays_within_the_truncation_bound_and_the_bound_is_tight) {
  for (const double u : {-6.0, -1.0, -0.1, 0.1, 1.0, 6.0}) {
    for (unsigned degree = 0; degree <= 12; ++degree) {
      const double error = std::abs(std::exp(u) - truncated_exponential(u, degree));
      const double bound = truncation_bound(u, degree);
      const double rounding = 0x1p-50 * std::exp(std::abs(u));
      EXPECT_LE(error, bound + rounding) << u << " " << degree;
      // The next term of the series is within a factor e^{|u|} of the bound and T + 2 of the error.
      EXPECT_GE(error * std::exp(std::abs(u)) * (1 + std::abs(u)), bound / (degree + 2) - rounding)
          << u << " " << degree;
    }
  }
}

TEST(FeatureMap, refuses_a_vector_of_the_wrong_length) {
  const FeatureMap map(3, 2, 1.0);
  EXPECT_EQ(map.size(), 10U);
  EXPECT_THROW(map(std::vector<double>{1.0}), std::invalid_argument);
  EXPECT_THROW(FeatureMap(3, 2, std::nan("")), std::invalid_argument);
}

}  // namespace
}  // namespace attest::svr
