#include "theorems/boosting/patches.hpp"

#include <numbers>

#include <gtest/gtest.h>

namespace attest::boosting {
namespace {

using rigor::Ball;

Matrix<Ball> rows(std::size_t n, std::size_t d, const std::vector<double>& entries) {
  Matrix<Ball> a(n, d);
  a.entries.assign(entries.begin(), entries.end());
  return a;
}

TEST(Patches, position_zero_is_of_sines_zero_and_cosines_one) {
  const auto p = sinusoidal_positions<double>(std::vector<double>{0}, 6);
  const std::vector<double> expected{0, 1, 0, 1, 0, 1};
  EXPECT_EQ(p.entries, expected);
}

TEST(Patches, the_second_pair_of_four_turns_a_hundred_times_slower) {
  const auto p = sinusoidal_positions<Ball>(std::vector<double>{50}, 4);
  EXPECT_TRUE(overlaps(p(0, 0), sin(Ball(50))));
  EXPECT_TRUE(overlaps(p(0, 2), sin(Ball(0.5))));
  EXPECT_TRUE(overlaps(p(0, 3), cos(Ball(0.5))));
  EXPECT_GT(p(0, 3).relative_accuracy_bits(), 100);
}

TEST(Patches, distances_in_a_metric_are_bilinear_forms_of_differences) {
  const auto a = rows(2, 2, {1, 2, 3, -1});
  const auto b = rows(1, 2, {0, 1});
  const auto m = rows(2, 2, {2, 1, 1, 3});
  const auto d = squared_distances(a, b, m);
  EXPECT_EQ(d(0, 0).mid(), 7);   // (1, 1): 2 + 2 + 3
  EXPECT_EQ(d(1, 0).mid(), 18);  // (3, -2): 18 - 12 + 12
  EXPECT_EQ(squared_norms(a, m)[0].mid(), 18);
  EXPECT_EQ(squared_norms(a)[1].mid(), 10);
}

// Positions (0) and (3), patches (1) and (2), h_p^2 = 9, h_y^2 = 2: -9/9 - 1/2.
TEST(Patches, the_bilateral_kernel_separates_positions_and_patches) {
  const auto p = rows(2, 1, {0, 3});
  const auto y = rows(2, 1, {1, 2});
  const auto k = log_bilateral(p, p, y, y, Ball(9), Ball(2));
  EXPECT_TRUE(k(0, 1).contains(-1.5));
  EXPECT_TRUE(k(1, 0).contains(-1.5));
  EXPECT_TRUE(k(0, 0).contains(0.0));
}

TEST(Patches, the_self_attention_kernel_compares_sums_over_root_d) {
  const auto y = rows(2, 4, {1, 0, 0, 0, 0, 1, 0, 0});
  const auto p = rows(2, 4, {1, 1, 0, 0, 0, 2, 0, 1});
  EXPECT_TRUE(log_self_attention(y, p)(0, 1).contains(1.5));  // (2, 1, 0, 0) . (0, 3, 0, 1) / 2
}

TEST(Patches, points_on_a_circle_keep_its_radius) {
  const std::vector<double> angles{0, std::numbers::pi / 2};
  const auto y = on_circle<double>(angles, 2.0);
  EXPECT_DOUBLE_EQ(y(0, 0), 2);
  EXPECT_DOUBLE_EQ(y(1, 1), 2);
  EXPECT_TRUE(overlaps(squared_norms(on_circle<Ball>(angles, Ball(3)))[1], Ball(9)));
}

}  // namespace
}  // namespace attest::boosting
