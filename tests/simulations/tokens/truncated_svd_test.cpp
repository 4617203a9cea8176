#include "simulations/tokens/truncated_svd.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>

#include <gtest/gtest.h>

namespace attest::tokens {
namespace {

constexpr double solver_tolerance = 1e-9;  // ten times the relative tolerance at which the Lanczos iteration stops

TEST(TruncatedSvd, recovers_a_matrix_of_known_singular_values) {
  // M = Q diag(5, -4, 3, 0, ...) Q^T for the orthonormal cosine vectors Q.
  constexpr int n = 24;
  Eigen::MatrixXd q(n, 3);
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 3; ++k) q(i, k) = std::sqrt(2.0 / n) * std::cos(std::numbers::pi * (k + 1) * (i + 0.5) / n);
  }
  const Eigen::Vector3d values(5, -4, 3);
  const Eigen::MatrixXd m = q * values.asDiagonal() * q.transpose();
  std::vector<Entry> entries;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) entries.push_back({i, j, m(i, j)});
  }
  const TruncatedSvd svd = truncated_svd(entries, n, 3);
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(svd.singular_values[static_cast<std::size_t>(k)], std::abs(values[k]), 5 * solver_tolerance);
    EXPECT_NEAR(std::abs(svd.left.col(k).dot(q.col(k))), 1, solver_tolerance);
    EXPECT_GT(svd.left.col(k).maxCoeff(), -svd.left.col(k).minCoeff() - solver_tolerance) << "up to a tie";
  }
}

TEST(TruncatedSvd, refuses_dimensions_it_cannot_give) {
  EXPECT_THROW(truncated_svd({}, 10, 0), std::invalid_argument);
  EXPECT_THROW(truncated_svd({}, 10, 5), std::invalid_argument);
}

}  // namespace
}  // namespace attest::tokens
