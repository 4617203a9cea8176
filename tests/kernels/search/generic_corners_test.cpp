#include <algorithm>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/search/adversarial.hpp"

namespace attest::search {
namespace {

bool holds(const std::vector<std::vector<double>>& corners, const std::vector<double>& point) {
  return std::find(corners.begin(), corners.end(), point) != corners.end();
}

TEST(GenericCorners, hold_the_ends_the_middle_the_origin_and_all_corners_of_a_small_box) {
  const std::vector<double> lower = {-3, -1};
  const std::vector<double> upper = {5, 1};
  const auto corners = generic_corners(lower, upper, 1000);
  for (const std::vector<double>& point :
       std::vector<std::vector<double>>{{-3, -1}, {-3, 1}, {5, -1}, {5, 1}, {1, 0}, {0, 0}, {5, 0}}) {
    EXPECT_TRUE(holds(corners, point)) << point[0] << ", " << point[1];
  }
}

TEST(GenericCorners, are_distinct_and_inside_the_box_and_no_more_than_asked_for) {
  const std::vector<double> lower(20, 2.0);
  const std::vector<double> upper(20, 3.0);
  const auto corners = generic_corners(lower, upper, 1000);
  EXPECT_EQ(std::set(corners.begin(), corners.end()).size(), corners.size());
  for (const auto& corner : corners) {
    EXPECT_TRUE(std::all_of(corner.begin(), corner.end(), [](double x) { return x >= 2 && x <= 3; }));
  }
  EXPECT_EQ(generic_corners(lower, upper, 5).size(), 5U);
  EXPECT_TRUE(generic_corners(lower, upper, 0).empty());
}

}  // namespace
}  // namespace attest::search
