#include "simulations/measure/untrained/token_statistics.hpp"

#include <numbers>

#include <gtest/gtest.h>

namespace attest::measure {
namespace {

constexpr double rounding = 64 * 0x1p-52;

TEST(TokenStatistics, of_orthogonal_tokens_of_one_length) {
  const TokenStatistics statistics = token_statistics(3 * Eigen::MatrixXd::Identity(4, 4));
  EXPECT_NEAR(statistics.length, 3, rounding);
  EXPECT_NEAR(statistics.length_variation, 0, rounding);
  EXPECT_NEAR(statistics.cosine, 0, rounding);
  EXPECT_EQ(statistics.duplicates, 0);
}

TEST(TokenStatistics, of_tokens_that_repeat) {
  Eigen::MatrixXd tokens(3, 2);
  tokens << 1, 0, 1, 0, 3, 0;
  const TokenStatistics statistics = token_statistics(tokens);
  EXPECT_NEAR(statistics.cosine, 1, rounding);
  EXPECT_NEAR(statistics.duplicates, 1.0 / 3, rounding);
  EXPECT_NEAR(statistics.length_variation, std::sqrt(8.0 / 9) / (5.0 / 3), rounding);
  // Positions of d = 2 are (sin i, cos i): |cos| with (1, 0) is |sin i|.
  EXPECT_NEAR(statistics.position_cosine, (std::sin(1.0) + std::sin(2.0)) / 3, rounding);
}

TEST(RandomDirections, have_the_known_mean_cosine) {
  EXPECT_NEAR(mean_cosine_of_random_directions(1), 1, rounding);
  EXPECT_NEAR(mean_cosine_of_random_directions(2), 2 / std::numbers::pi, rounding);
  EXPECT_NEAR(mean_cosine_of_random_directions(3), 0.5, rounding);
  EXPECT_NEAR(mean_cosine_of_random_directions(4), 4 / (3 * std::numbers::pi), rounding);
}

}  // namespace
}  // namespace attest::measure
