#include "kernels/random/geometry.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace attest::random {
namespace {

TEST(OrthogonalMatrix, is_orthogonal) {
  for (const int n : {1, 2, 7, 40}) {
    Stream stream(2, 0, static_cast<std::uint64_t>(n));
    const std::vector<double> q = orthogonal_matrix(stream, n);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        double dot = 0;
        for (int k = 0; k < n; ++k)
          dot += q[static_cast<std::size_t>(i * n + k)] * q[static_cast<std::size_t>(j * n + k)];
        EXPECT_FALSE(!(std::fabs(dot - (i == j)) <= (n + 4) * 0x1p-52)) << n << ' ' << i << ' ' << j;
      }
    }
  }
}

// Under the Haar measure the trace has mean 0 and variance 1 for n >= 2; QR without the sign rule would give a first
// column with a negative corner always. z = 6.2 has error probability 6e-10, both tails, for each of the two means.
TEST(OrthogonalMatrix, is_haar_distributed_in_its_first_moments) {
  constexpr int draws = 4000;
  double trace_sum = 0;
  double trace2_sum = 0;
  for (int s = 0; s < draws; ++s) {
    Stream stream(2, claim_key("haar"), static_cast<std::uint64_t>(s));
    const std::vector<double> q = orthogonal_matrix(stream, 3);
    const double trace = q[0] + q[4] + q[8];
    trace_sum += trace;
    trace2_sum += trace * trace;
  }
  EXPECT_LE(std::fabs(trace_sum / draws), 6.2 / std::sqrt(draws));
  // E tr^4 = 3 or 4 for O(3): the variance of tr^2 is at most 3.
  EXPECT_LE(std::fabs(trace2_sum / draws - 1), 6.2 * std::sqrt(3.0 / draws));
}

// A coordinate of a uniform point on the sphere in R^n has second moment 1/n and fourth moment 3 / (n (n + 2)).
TEST(Sphere, points_have_unit_norm_and_spread_evenly) {
  constexpr int draws = 10'000;
  double x[4];
  double sum2 = 0;
  for (int s = 0; s < draws; ++s) {
    Stream stream(2, claim_key("sphere"), static_cast<std::uint64_t>(s));
    fill_sphere(stream, x);
    EXPECT_NEAR(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3], 1, 8 * 0x1p-52);
    sum2 += x[0] * x[0];
  }
  EXPECT_LE(std::fabs(sum2 / draws - 0.25), 6.2 * std::sqrt((3.0 / 24 - 1.0 / 16) / draws));
}

}  // namespace
}  // namespace attest::random
