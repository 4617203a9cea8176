#include "theorems/boosting/noisy_logits.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace attest::boosting {
namespace {

TEST(Noise, has_mean_zero_and_unit_covariance) {
  std::vector<Noise> noises = six_noises();
  noises.push_back(one_coordinate_noise());
  EXPECT_EQ(noises.size(), 7U);
  for (const Noise& noise : noises) {
    constexpr int samples = 40000;
    double first = 0, square = 0, product = 0;
    std::vector<double> eta(2);
    for (std::uint64_t i = 0; i < samples; ++i) {
      random::Stream stream(1, 2, i);
      noise.fill(stream, eta);
      first += eta[0] / samples;
      square += eta[0] * eta[0] / samples;
      product += eta[0] * eta[1] / samples;
    }
    // Six standard errors; the fourth moment is at most 10.
    EXPECT_NEAR(first, 0, 6 / std::sqrt(samples)) << noise.name;
    EXPECT_NEAR(square, 1, 6 * 3 / std::sqrt(samples)) << noise.name;
    EXPECT_NEAR(product, 0, 6 / std::sqrt(samples)) << noise.name;
  }
}

TEST(Perturbation, is_zero_without_noise_and_never_above_its_stated_range) {
  random::Stream stream(1, 2, 3);
  EXPECT_EQ(perturbation(leading_logits(5, 2, 3), six_noises()[0], 0)(stream), 0);
  const auto violent = perturbation(leading_logits(3, 1, 30), six_noises()[0], 1000);
  double largest = 0;
  for (int i = 0; i < 1000; ++i) largest = std::max(largest, violent(stream));
  EXPECT_LE(largest, largest_perturbation);
  EXPECT_GT(largest, 1.4142);
}

TEST(NormalLogits, are_the_same_in_every_run) {
  EXPECT_EQ(normal_logits(10, 2), normal_logits(10, 2));
  EXPECT_EQ(normal_logits(10, 2)[3], 2 * normal_logits(10, 1)[3]);
}

}  // namespace
}  // namespace attest::boosting
