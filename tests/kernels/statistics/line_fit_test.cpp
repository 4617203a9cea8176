#include "kernels/statistics/line_fit.hpp"

#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/rounding.hpp"

namespace attest::statistics {
namespace {

TEST(LineFit, finds_a_line_exactly) {
  std::vector<LinePoint> points;
  for (const double x : {1.0, 2.0, 4.0}) points.push_back({x, 3 * x - 1, {3 * x - 1, 3 * x - 1}});
  const Line line = fit_line(points);
  EXPECT_DOUBLE_EQ(line.slope, 3);
  constexpr double rounding = 8 * 10 * tests::unit_roundoff;  // eight operations, in which terms of size 10 cancel
  EXPECT_NEAR(line.intercept, -1, rounding);
  EXPECT_NEAR(line.largest_residual, 0, rounding);
}

TEST(LineFit, gives_the_range_of_its_terms_over_the_enclosures) {
  // Through (0, [-1, 1]) and (1, [1, 3]) slopes run from 0 to 4.
  const std::vector<LinePoint> points = {{0, 0, {-1, 1}}, {1, 2, {1, 3}}};
  const Line line = fit_line(points);
  EXPECT_DOUBLE_EQ(line.slope_interval.lower, 0);
  EXPECT_DOUBLE_EQ(line.slope_interval.upper, 4);
  EXPECT_DOUBLE_EQ(line.intercept_interval.lower, -1);
  EXPECT_DOUBLE_EQ(line.intercept_interval.upper, 1);
}

TEST(LineFit, refuses_points_that_make_no_line) {
  EXPECT_THROW(fit_line(std::vector<LinePoint>{}), std::invalid_argument);
  EXPECT_THROW(fit_line(std::vector<LinePoint>{{1, 0, {0, 0}}, {1, 2, {2, 2}}}), std::invalid_argument);
}

}  // namespace
}  // namespace attest::statistics
