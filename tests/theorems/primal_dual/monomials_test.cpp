#include "theorems/primal_dual/monomials.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "kernels/svr/feature_map.hpp"

namespace attest::primal_dual {
namespace {

using rigor::Ball;

TEST(Monomials, agree_with_the_feature_map_in_doubles) {
  const std::vector<double> x{0.7, -1.3, 0.2};
  const svr::FeatureMap doubles(3, 5, 0.75);
  const Monomials balls(3, 5);
  const auto expected = doubles(x);
  const auto features = balls(rigor::to_balls(x), Ball(0.75));
  ASSERT_EQ(features.size(), expected.size());
  // Three roundings a factor, at most five factors.
  for (std::size_t l = 0; l < expected.size(); ++l) {
    EXPECT_NEAR(features[l].mid(), expected[l], 16 * 0x1p-53 * std::abs(expected[l]));
  }
  EXPECT_EQ(balls.degree_of(0), 0U);
  EXPECT_EQ(balls.degree_of(balls.size() - 1), 5U);
}

TEST(Monomials, enclose_the_exponential_with_their_remainder) {
  const Monomials map(2, 6);
  const auto x = rigor::to_balls(std::vector<double>{1.0, -0.5});
  const auto y = rigor::to_balls(std::vector<double>{-0.75, 2.0});
  const Ball scale = fourth_root_scale(2);
  const Ball u = rigor::dot(x, y) / rigor::sqrt(Ball(2));
  const Ball sum = rigor::dot(map(x, scale), map(y, scale));
  const Ball exact = rigor::exp(u);
  EXPECT_TRUE((sum + exponential_remainder(u, 6)).contains(exact));
  EXPECT_FALSE(sum.contains(exact));
  // The remainder is no wider than it must be: the next term alone is a seventh of the bound times the tail's factor.
  EXPECT_LE(exponential_remainder(u, 6).upper(), 8 * rigor::abs(sum - exact).upper());
}

TEST(Monomials, know_their_factorials) {
  const Monomials map(1, 4);
  EXPECT_TRUE(overlaps(map.inverse_root_of_factorials(4), 1 / sqrt(Ball(24))));
}

}  // namespace
}  // namespace attest::primal_dual
