#include "kernels/attention/stages/distance_sums.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "kernels/attention/mechanism/example_call.hpp"

namespace attest::attention {
namespace {

/// Sums of up to 12 x 9 terms of size 3, doubled, with some 20 roundings each of 650 x 2^-53.
constexpr double tolerance = 2e-12;

TEST(DistanceSums, weigh_every_token_by_its_distance) {
  for (const Index tokens : {0, 1, 5, 9})
    for (const Index rows : {1, 4, 9, 12}) {
      const Tensor<double> x = example_array<double>({tokens, 3}, "x", 1);
      const std::vector<double> y = distance_sums(x.values(), 3, rows);
      ASSERT_EQ(y.size(), static_cast<std::size_t>(3 * rows));
      for (Index i = 0; i < rows; ++i)
        for (Index r = 0; r < 3; ++r) {
          double sum = 0;
          for (Index n = 0; n < tokens; ++n) sum += static_cast<double>(std::abs(i - n)) * x.data()[n * 3 + r];
          EXPECT_NEAR(y[static_cast<std::size_t>(i * 3 + r)], sum, tolerance);
        }
    }
}

TEST(DistanceSums, are_their_own_adjoint) {
  const Tensor<double> x = example_array<double>({5, 2}, "x", 1), dy = example_array<double>({7, 2}, "dy", 1);
  const std::vector<double> y = distance_sums(x.values(), 2, 7), dx = distance_sums(dy.values(), 2, 5);
  double forward = 0, backward = 0;
  for (std::size_t i = 0; i < y.size(); ++i) forward += y[i] * dy.values()[i];
  for (std::size_t i = 0; i < dx.size(); ++i) backward += dx[i] * x.values()[i];
  EXPECT_NEAR(forward, backward, tolerance);
}

}  // namespace
}  // namespace attest::attention
