#include "reports/figures/read_figure.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/scratch_folder.hpp"

namespace attest::reports {
namespace {

using json = nlohmann::ordered_json;
using test_support::message_of;
using testing::HasSubstr;

json figure_json() {
  return json::parse(R"({"name": "growth", "x": {"label": "n", "scale": "log"}, "y": {"label": "ratio"},
                         "series": [{"name": "rising", "points": [[1, 2, 1.5, 2.5], [2, 3, 2.5, 3.5]]},
                                    {"name": "cloud", "points": [[2, 1], [1, 1]]}],
                         "references": [{"name": "one", "y": 1}, {"name": "curve", "points": [[1, 1], [2, 2]]}]})");
}

std::string complaint(const json& figure) {
  return message_of<MalformedResults>([&] { read_figure(JsonPlace(figure, "figure")); });
}

TEST(ReadFigure, takes_axes_series_intervals_and_references) {
  const json document = figure_json();
  const Figure figure = read_figure(JsonPlace(document, "figure"));
  EXPECT_TRUE(figure.x.logarithmic);
  EXPECT_FALSE(figure.y.logarithmic);
  EXPECT_EQ(figure.series[0].upper[1], 3.5);
  ASSERT_EQ(figure.reference_lines.size(), 1U);
  EXPECT_EQ(figure.reference_lines[0].value, 1);
  ASSERT_EQ(figure.reference_curves.size(), 1U);
}

TEST(ReadFigure, joins_points_with_increasing_x_and_no_others) {
  const json document = figure_json();
  const Figure figure = read_figure(JsonPlace(document, "figure"));
  EXPECT_TRUE(figure.series[0].line);
  EXPECT_FALSE(figure.series[1].line);
}

TEST(ReadFigure, takes_names_for_values_of_an_axis) {
  json document = figure_json();
  document["y"]["places"] = {{1, "twicing"}};
  EXPECT_EQ(read_figure(JsonPlace(document, "figure")).y.places.at(0).second, "twicing");
  document["y"]["places"] = {{1}};
  EXPECT_THAT(complaint(document), HasSubstr("y.places[0] has 1 element,"));
}

TEST(ReadFigure, refuses_a_name_that_is_no_file_stem) {
  for (const char* name : {"", "../escape", "a b", "x.svg", "a'b"}) {
    json figure = figure_json();
    figure["name"] = name;
    EXPECT_THAT(complaint(figure), HasSubstr("expected a file stem")) << name;
  }
}

TEST(ReadFigure, refuses_points_that_are_no_points) {
  json figure = figure_json();
  figure["series"][0]["points"][1] = {1, 2, 3};
  EXPECT_THAT(complaint(figure), HasSubstr("series[0].points[1] has 3 numbers"));
  figure = figure_json();
  figure["series"][0]["points"][1] = {1, 2};
  EXPECT_THAT(complaint(figure), HasSubstr("intervals at some points only"));
  figure = figure_json();
  figure["y"]["scale"] = "cubic";
  EXPECT_THAT(complaint(figure), HasSubstr("y.scale is \"cubic\""));
}

}  // namespace
}  // namespace attest::reports
