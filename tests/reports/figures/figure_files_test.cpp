#include "reports/figures/figure_files.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/figures/series_style.hpp"
#include "tests/support/scratch_folder.hpp"

namespace attest::reports {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Figure curve() {
  Figure figure;
  figure.name = "curve";
  figure.x = {"$n$", true};
  figure.y = {"loss", false};
  figure.series.push_back({"a, \"b\"", {1, 10}, {3, std::nan("")}, {2, 2}, {5, 4}, true, true});
  figure.reference_lines.push_back({"=1+1", ReferenceLine::Across::y, 1.0});
  return figure;
}

TEST(FigureCsv, has_a_row_for_each_point_and_no_formula_of_a_spreadsheet) {
  EXPECT_EQ(figure_csv(curve()),
            "series,x,y,lower,upper\r\n\"a, \"\"b\"\"\",1,3,2,5\r\n\"a, \"\"b\"\"\",10,,2,4\r\n\"'=1+1\",,1,,\r\n");
}

TEST(FigureCsv, names_the_places_of_an_axis_without_numbers) {
  Figure figure;
  figure.y.places = {{1, "a - b"}, {2, "=c"}};
  figure.series.push_back({"", {0.5, 0.25}, {1, 2}, {0, 0}, {1, 1}});
  figure.reference_lines.push_back({"zero", ReferenceLine::Across::x, 0});
  EXPECT_EQ(figure_csv(figure),
            "series,x,y,lower,upper,place\r\n\"\",0.5,1,0,1,\"a - b\"\r\n\"\",0.25,2,0,1,\"'=c\"\r\n"
            "\"zero\",0,,,,\"\"\r\n");
}

TEST(FigureTikz, sets_formulas_intervals_and_scales_and_reads_no_command) {
  Figure figure = curve();
  figure.title = "50 % \\input{/etc/passwd} $\\write18{ls}$";
  const std::string tex = figure_tikz(figure, {});
  EXPECT_THAT(tex, AllOf(HasSubstr("xlabel={\\(n\\)}"), HasSubstr("xmode=log"), HasSubstr("y error plus=p"),
                         HasSubstr("1 3 2 1 \\\\"), HasSubstr("50 \\%")));
  EXPECT_THAT(tex, AllOf(Not(HasSubstr("\\input{")), Not(HasSubstr("\\write"))));
}

TEST(SeriesStyle, differs_in_colour_or_dash_and_marker_for_ten_series) {
  for (std::size_t i = 0; i < 10; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_NE(series_style(i).colour.hex, series_style(j).colour.hex);
      EXPECT_NE(series_style(i).marker, series_style(j).marker);
    }
    if (i > 0) {
      EXPECT_NE(series_style(i).dash, series_style(i - 1).dash);
    }
  }
}

TEST(ReferenceLines, without_a_name_look_like_the_named_one_before_them) {
  Figure figure = curve();
  figure.reference_lines = {{"", ReferenceLine::Across::y, 0},
                            {"smallest", ReferenceLine::Across::y, 1},
                            {"", ReferenceLine::Across::y, 2},
                            {"other", ReferenceLine::Across::y, 3}};
  EXPECT_NE(reference_dash(figure, 0), reference_dash(figure, 1));
  EXPECT_EQ(reference_dash(figure, 1), reference_dash(figure, 2));
  EXPECT_NE(reference_dash(figure, 2), reference_dash(figure, 3));
  const std::string tex = figure_tikz(figure, {});
  const std::string dash(tex_dashes[reference_dash(figure, 1)]);
  EXPECT_THAT(tex, AllOf(HasSubstr("[gray, " + dash + "]"), HasSubstr("[gray, " + dash + ", forget plot]")));
}

TEST(FigureStyle, reads_inches_and_fonts_and_says_what_is_wrong) {
  const FigureStyle style = figure_style("3.3x2.4", "Nimbus Roman,8", 1.5);
  EXPECT_EQ(style.width, 3.3);
  EXPECT_EQ(style.height, 2.4);
  EXPECT_EQ(style.font, "Nimbus Roman");
  EXPECT_EQ(style.font_size, 8);
  EXPECT_EQ(figure_style("4", "10", 1).font_size, 10);
  EXPECT_EQ(figure_style("", "Nimbus Sans", 1).font, "Nimbus Sans");
  const auto message = [](const std::string& size, const std::string& font, double width) {
    return test_support::message_of<std::invalid_argument>([&] { figure_style(size, font, width); });
  };
  EXPECT_THAT(message("3,3", "", 1), HasSubstr("--figure-size 3,3: give width and height in inches"));
  EXPECT_THAT(message("300", "", 1), HasSubstr("from 1.5 to 20"));
  EXPECT_THAT(message("4x", "", 1), HasSubstr("--figure-size"));
  EXPECT_THAT(message("", "A';system(1)", 1), HasSubstr("--figure-font"));
  EXPECT_THAT(message("", "Sans,big", 1), HasSubstr("--figure-font"));
  EXPECT_THAT(message("", "", 0), HasSubstr("--line-width"));
}

}  // namespace
}  // namespace attest::reports
