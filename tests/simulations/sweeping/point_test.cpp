#include "simulations/sweeping/point.hpp"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

namespace attest::sweeps {
namespace {

using quantities::find_quantity;

std::vector<Point> points_in(std::string_view text) { return points_of(read_spec(text, "sweep.toml", "sweep")); }

TEST(Points, run_through_a_grid_with_the_last_axis_fastest) {
  const auto points = points_in("quantity = 'grc_ratio'\n[axes]\nL = [1, 2]\nt = [0, 0.5, 1]\n");
  ASSERT_EQ(points.size(), 6U);
  EXPECT_EQ(points[1].arguments.real("L"), 1);
  EXPECT_EQ(points[1].arguments.real("t"), 0.5);
  EXPECT_EQ(points[3].arguments.real("L"), 2);
  EXPECT_EQ(points[3].arguments.real("t"), 0);
}

TEST(Points, fill_ranges_by_a_sobol_sequence) {
  const auto points = points_in(
      "quantity = 'grc_ratio'\n[axes]\nL = {from = 0, to = 4}\nt = {from = 0, to = 1}\n"
      "[design]\nkind = 'sobol'\npoints = 64\n");
  ASSERT_EQ(points.size(), 64U);
  // A Sobol sequence puts one of 64 points into each of 8 x 8 squares, up to the point at the origin that is left out.
  std::set<std::pair<int, int>> squares;
  for (const Point& point : points)
    squares.emplace(static_cast<int>(point.arguments.real("L") * 2), static_cast<int>(point.arguments.real("t") * 8));
  EXPECT_GE(squares.size(), 60U);
}

TEST(Points, of_a_random_design_depend_on_the_seed_and_stay_in_range) {
  const std::string head = "quantity = 'softmax_lipschitz'\nseed = ";
  const std::string rest =
      "\n[axes]\nscale = {from = 0.1, to = 10, scale = 'log'}\n[design]\nkind = 'random'\npoints = 100\n";
  const auto one = points_in(head + "1" + rest), two = points_in(head + "2" + rest);
  ASSERT_EQ(one.size(), 100U);
  int below_one = 0;
  for (const Point& point : one) {
    const double scale = point.arguments.real("scale");
    EXPECT_TRUE(scale >= 0.1 && scale <= 10);
    below_one += scale < 1 ? 1 : 0;
  }
  // Half of a logarithmic range lies below 1: a binomial count is beyond 5 standard deviations once in two million.
  EXPECT_NEAR(below_one, 50, 5 * std::sqrt(100 * 0.25));
  EXPECT_NE(one[0].arguments.real("scale"), two[0].arguments.real("scale"));
}

TEST(Points, that_coincide_are_there_once) {
  const auto points =
      points_in("quantity = 'grc_ratio'\n[axes]\nn = {from = 1, to = 3}\n[design]\nkind = 'sobol'\npoints = 16\n");
  EXPECT_EQ(points.size(), 3U);
}

TEST(PointAddress, is_that_of_the_content_alone) {
  const auto& q = find_quantity("softmax_lipschitz");
  const auto at = complete(q, {{"N", 100.0}});
  EXPECT_EQ(address(q, at, 1, 10), address(q, complete(q, {{"N", 100.0}, {"scale", 1.0}}), 1, 10));
  EXPECT_NE(address(q, at, 1, 10), address(q, at, 2, 10));
  EXPECT_NE(address(q, at, 1, 10), address(q, at, 1, 11));
  EXPECT_NE(address(q, at, 1, 10), address(q, complete(q, {{"N", 101.0}}), 1, 10));
  auto newer = q;
  newer.version += 1;
  EXPECT_NE(address(q, at, 1, 10), address(newer, at, 1, 10));
  // Nothing is drawn by a deterministic quantity.
  const auto& ratio = find_quantity("grc_ratio");
  EXPECT_EQ(address(ratio, complete(ratio, {}), 1, 10), address(ratio, complete(ratio, {}), 2, 20));
}

}  // namespace
}  // namespace attest::sweeps
