#include "reports/figures/draw.hpp"

#include <cmath>
#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/figures/inline_svg.hpp"
#include "reports/figures/run_program.hpp"
#include "reports/files/atomic_file.hpp"
#include "tests/support/scratch_folder.hpp"

namespace attest::reports {
namespace {

using test_support::content_of;
using test_support::ScratchFolder;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Figure curve(const std::string& name) {
  Figure figure;
  figure.name = name;
  figure.title = "Curve";
  figure.x = {"n", true};
  figure.y = {"value", false};
  figure.series.push_back({"values", {1, 10, 100}, {3, std::nan(""), 1}, {2, 2, 0.5}, {4, 4, 1.5}, true, true});
  figure.reference_lines.push_back({"limit", ReferenceLine::Across::y, 1.0});
  figure.reference_lines.push_back({"start", ReferenceLine::Across::x, 0.5});
  return figure;
}

bool has_gnuplot() { return std::system("command -v gnuplot >/dev/null 2>&1") == 0; }

TEST(DrawFigures, writes_svg_pdf_tikz_and_csv_and_nothing_else) {
  if (!has_gnuplot()) GTEST_SKIP() << "gnuplot (gnuplot-nox) is not installed";
  const ScratchFolder folder;
  const Figure first = curve("first"), second = curve("second");
  const DrawnFigures drawn = draw_figures({&first, &second}, folder.path() / "figures");
  EXPECT_THAT(drawn.remarks, IsEmpty());
  ASSERT_EQ(drawn.figures.size(), 2U);
  EXPECT_THAT(drawn.figures[0].svg, HasSubstr("</svg>"));
  EXPECT_EQ(content_of(folder.path() / "figures" / "first.svg"), drawn.figures[0].svg);
  EXPECT_THAT(content_of(folder.path() / "figures" / "second.pdf"), testing::StartsWith("%PDF"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path() / "figures"), {}), 8);
}

TEST(DrawFigures, shows_named_places_and_then_numbers_again) {
  if (!has_gnuplot()) GTEST_SKIP() << "gnuplot (gnuplot-nox) is not installed";
  const ScratchFolder folder;
  Figure named = curve("named");
  named.x = {"difference", false};
  named.y = {"", false, {{1, "bilateral+boost"}, {2, "twicing_last"}}};
  named.series = {{"", {0.5, 0.25}, {1, 2}, {-0.5, 0.125}, {1.5, 0.375}, false, true}};
  named.reference_lines = {{"", ReferenceLine::Across::x, 0}};
  const Figure numbered = curve("numbered");
  const DrawnFigures drawn = draw_figures({&named, &numbered}, folder.path());
  EXPECT_THAT(drawn.remarks, IsEmpty());
  EXPECT_THAT(drawn.figures[0].svg, HasSubstr("bilateral+boost"));
  EXPECT_THAT(drawn.figures[0].svg, HasSubstr("twicing_last"));
  // The interval's left end is below zero and within the axis.
  EXPECT_THAT(drawn.figures[0].svg, HasSubstr(">−0.5<"));
  EXPECT_THAT(drawn.figures[1].svg, Not(HasSubstr("bilateral")));
  const Figure other = curve("other");
  EXPECT_EQ(drawn.figures[1].svg, draw_figures({&other, &numbered}, folder.path()).figures[1].svg);
}

TEST(DrawFigures, shows_hostile_labels_as_text) {
  if (!has_gnuplot()) GTEST_SKIP() << "gnuplot (gnuplot-nox) is not installed";
  const ScratchFolder folder;
  const auto trace = folder.path() / "trace";
  Figure figure = curve("hostile");
  figure.title = "'; system \"touch " + trace.string() + "\" #";
  figure.series[0].label = "<script> @name \\ _x^2 `touch " + trace.string() + "`";
  figure.x.label = "a\nset output '" + trace.string() + "'\n";
  const DrawnFigures drawn = draw_figures({&figure}, folder.path());
  EXPECT_THAT(drawn.remarks, IsEmpty());
  EXPECT_THAT(drawn.figures[0].svg, HasSubstr("&lt;script"));
  EXPECT_FALSE(std::filesystem::exists(trace)) << "a label was read as a command";
}

TEST(DrawFigures, remarks_once_that_the_program_is_missing) {
  const ScratchFolder folder;
  const Figure figure = curve("undrawn"), other = curve("undrawn-too");
  const DrawnFigures drawn = draw_figures({&figure, &other}, folder.path(), "no-such-gnuplot");
  EXPECT_THAT(drawn.remarks, ElementsAre(HasSubstr("no-such-gnuplot was not found")));
  EXPECT_THAT(drawn.figures[0].svg, IsEmpty());
}

TEST(DrawFigures, remarks_that_the_program_failed) {
  const ScratchFolder folder;
  const Figure figure = curve("undrawn");
  EXPECT_THAT(draw_figures({&figure}, folder.path(), "false").remarks,
              ElementsAre(HasSubstr("1 of 1 figures could not be drawn: false ended with status 1")));
}

TEST(DrawFigures, leaves_out_a_figure_without_a_finite_point) {
  const ScratchFolder folder;
  Figure figure = curve("empty");
  figure.series[0].x = {-1, 0, std::nan("")};
  EXPECT_THAT(draw_figures({&figure}, folder.path()).remarks, ElementsAre(HasSubstr("no finite point")));
}

TEST(RunProgram, gives_the_input_and_takes_status_and_messages) {
  const ProgramEnd end = run_program("sh", "echo heard >&2; exit 3");
  EXPECT_TRUE(end.found);
  EXPECT_EQ(end.status, 3);
  EXPECT_EQ(end.messages, "heard\n");
}

TEST(InlineSvg, follows_the_page_and_shares_no_id_with_another_drawing) {
  const std::string svg =
      "<?xml version=\"1.0\"?><svg viewBox=\"0 0 10 20\" xmlns=\"http://www.w3.org/2000/svg\"><title>Gnuplot</title>"
      "<defs><path id='gpPt7' d='M0'/><use xlink:href='#gpPt7' id='gpPt8'/></defs><g fill=\"none\">\n<g>\n</g></g>"
      "<path id='gpPt0' stroke='rgb( 25,  67, 168)'/><use xlink:href='#gpPt0' color='black'/>"
      "<text fill=\"rgb(29,29,31)\" font-family=\"DejaVu Sans\">t</text></svg>";
  const std::string inlined = inline_svg(svg, "one", "A \"curve\"");
  EXPECT_THAT(inlined,
              HasSubstr("<svg class=\"plot\" viewBox=\"0 0 10 20\" role=\"img\" aria-label=\"A &quot;curve&quot;\">"));
  EXPECT_THAT(inlined,
              HasSubstr("<path id='one-gpPt0' stroke='var(--series-1)'/><use href='#one-gpPt0' color='var(--ink)'/>"));
  EXPECT_THAT(inlined, HasSubstr("<text fill=\"var(--ink)\">t</text>"));
  EXPECT_THAT(inlined, Not(HasSubstr("gpPt7"))) << "nothing refers to it";
  EXPECT_THAT(inlined, Not(HasSubstr("<g"))) << "an empty group";
  EXPECT_THAT(inlined, Not(HasSubstr("http")));
  EXPECT_THAT(inlined, Not(HasSubstr("Gnuplot")));
}

TEST(InlineSvg, repeats_no_group_and_draws_nothing_that_nobody_sees) {
  const std::string svg =
      "<svg viewBox=\"0 0 10 20\"><g fill=\"none\">\n<use xlink:href='#a' transform='scale(4.50)'/>\n</g>\n<g "
      "fill=\"none\">\n<use xlink:href='#a' transform='translate(1,2) scale(0.04)'/>\n<use xlink:href='#b'/>\n</g>\n"
      "<g fill=\"red\"><g><path/></g></g><g fill=\"red\"><g><path/></g></g></svg>";
  EXPECT_EQ(inline_svg(svg, "n", "d"),
            "<svg class=\"plot\" viewBox=\"0 0 10 20\" role=\"img\" aria-label=\"d\"><g fill=\"none\">\n<use "
            "href='#n-a' transform='scale(4.50)'/>\n<use href='#n-b'/>\n</g>\n"
            "<g fill=\"red\"><g><path/></g></g><g fill=\"red\"><g><path/></g></g></svg>");
}

}  // namespace
}  // namespace attest::reports
