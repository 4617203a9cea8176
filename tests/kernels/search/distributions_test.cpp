#include "kernels/search/distributions.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace attest::search {
namespace {

const std::vector<double> lower = {-1, 0, 1e-6, -4, 2, -1};
const std::vector<double> upper = {1, 1, 1e6, -2, 2, 3};

TEST(RandomPoint, stays_in_the_box_for_every_family) {
  for (int family = 0; family < family_count; ++family) {
    for (std::uint64_t sample = 0; sample < 200; ++sample) {
      random::Stream stream(1, 2, sample);
      const std::vector<double> point = random_point(static_cast<Family>(family), lower, upper, stream);
      for (std::size_t i = 0; i < point.size(); ++i) {
        EXPECT_TRUE(point[i] >= lower[i] && point[i] <= upper[i]) << "family " << family << " coordinate " << i;
      }
    }
  }
}

TEST(RandomPoint, spreads_log_magnitudes_over_the_decades_of_a_one_sided_range) {
  int small = 0;
  for (std::uint64_t sample = 0; sample < 1000; ++sample) {
    random::Stream stream(1, 2, sample);
    small += random_point(Family::log_magnitude, lower, upper, stream)[2] < 1 ? 1 : 0;
  }
  // Half of the twelve decades lie below 1: binomial(1000, 1/2) leaves [400, 600] with probability below 1e-9.
  EXPECT_GT(small, 400);
  EXPECT_LT(small, 600);
}

TEST(RandomPointNear, keeps_close_to_the_best_points_at_some_scales) {
  const std::vector<Candidate> best = {{0.0, {0.5, 0.5, 10, -3, 2, 1}}};
  int close = 0;
  for (std::uint64_t sample = 0; sample < 300; ++sample) {
    random::Stream stream(1, 2, sample);
    const std::vector<double> point = random_point_near(best, lower, upper, stream);
    for (std::size_t i = 0; i < point.size(); ++i) {
      EXPECT_TRUE(point[i] >= lower[i] && point[i] <= upper[i]) << i;
    }
    close += std::abs(point[0] - 0.5) < 1e-3 ? 1 : 0;
  }
  EXPECT_GT(close, 50);
  EXPECT_LT(close, 300);
}

}  // namespace
}  // namespace attest::search
