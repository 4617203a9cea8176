#include "reports/html/elements/lanes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace attest::reports::html {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(Lanes, begin_at_their_statement_pass_others_and_end_with_a_dot_in_its_verdicts_class) {
  Claim ground, between, dependent;
  ground.id = "paper/ground <1>";
  ground.verdict = Verdict::refuted;
  const GraphRow first{&ground, {}, {&ground}, {}, 0};
  const GraphRow second{&between, {&ground}, {&ground}, {}, {}};
  const GraphRow third{&dependent, {&ground}, {nullptr}, {0}, {}};
  const StatementGraph graph{{first, second, third}, {}, 1};
  const std::string own = "class=\"refuted\" data-lane-of=\"0\"";
  EXPECT_THAT(lanes_drawing(graph, first),
              AllOf(HasSubstr("<path " + own), HasSubstr("V999"), Not(HasSubstr("circle"))));
  EXPECT_THAT(lanes_drawing(graph, second),
              AllOf(HasSubstr("<path class=\"refuted\" d=\"M"), HasSubstr("data-passing=\"0:"),
                    Not(HasSubstr("circle")), Not(HasSubstr("line"))));
  EXPECT_THAT(lanes_drawing(graph, third), AllOf(HasSubstr("<circle " + own), Not(HasSubstr("V999"))));
}

TEST(Lanes, are_as_wide_as_there_are_lanes) {
  StatementGraph graph;
  graph.lanes = 2;
  const int two = lanes_width(graph);
  graph.lanes = 3;
  EXPECT_GT(lanes_width(graph), two);
  EXPECT_LT(lanes_width(graph), 60) << "lanes that leave a telephone its words";
}

}  // namespace
}  // namespace attest::reports::html
