#include "reports/figures/heat_cells.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/figures/data_extremes.hpp"
#include "reports/figures/gnuplot_script.hpp"

namespace attest::reports {
namespace {

HeatMap heat(std::vector<double> x, std::vector<double> y) {
  std::vector<double> z(x.size(), 1);
  return {{"z", false}, std::move(x), std::move(y), std::move(z)};
}

TEST(HeatCells, meet_half_way_between_neighbours) {
  const auto cells = heat_cells(heat({0, 0, 1, 1}, {0, 4, 0, 4}), false, false);
  ASSERT_EQ(cells.size(), 4U);
  EXPECT_EQ(cells[0].left, -0.5);
  EXPECT_EQ(cells[0].right, 0.5);
  EXPECT_EQ(cells[3].bottom, 2);
  EXPECT_EQ(cells[3].top, 6);
}

TEST(HeatCells, meet_at_the_geometric_mean_on_a_logarithmic_axis) {
  const auto cells = heat_cells(heat({1, 1, 100, 100}, {0, 4, 0, 4}), true, false);
  ASSERT_EQ(cells.size(), 4U);
  EXPECT_DOUBLE_EQ(cells[0].right, 10);
  EXPECT_DOUBLE_EQ(cells[0].left, 0.1);
  EXPECT_DOUBLE_EQ(cells[2].right, 1000);
}

TEST(HeatCells, are_none_where_the_points_make_no_grid) {
  EXPECT_TRUE(heat_cells(heat({0, 0, 1}, {0, 1, 0}), false, false).empty());
  EXPECT_TRUE(heat_cells(heat({0, 1}, {0, 0}), false, false).empty());
  EXPECT_TRUE(heat_cells(heat({0, 0, 1, 1}, {0, 1, 0, 1}), true, false).empty());
}

TEST(HeatMaps, are_drawn_as_cells_on_a_grid_and_as_dots_elsewhere) {
  Figure figure;
  figure.name = "phases";
  figure.heat = heat({0, 0, 1, 1}, {0, 4, 0, 4});
  EXPECT_TRUE(has_drawable_points(figure));
  EXPECT_THAT(gnuplot_script(figure, {}, "a.svg", "a.pdf"), testing::HasSubstr("with boxxyerror"));
  figure.heat = heat({0, 0.5, 1}, {0, 4, 1});
  EXPECT_THAT(gnuplot_script(figure, {}, "a.svg", "a.pdf"), testing::HasSubstr("lc palette"));
  EXPECT_THAT(gnuplot_script(figure, {}, "a.svg", "a.pdf"), testing::Not(testing::HasSubstr("boxxyerror")));
  std::vector<double> x, y;
  for (int i = 0; i < 900; ++i) {
    x.push_back(i % 30);
    y.push_back(i / 30);
  }
  figure.heat = heat(x, y);
  EXPECT_THAT(gnuplot_script(figure, {}, "a.svg", "a.pdf"), testing::HasSubstr("with image"));
}

}  // namespace
}  // namespace attest::reports
