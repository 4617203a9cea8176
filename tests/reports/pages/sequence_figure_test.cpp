#include "reports/pages/sequence_figure.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reports/example.hpp"

namespace attest::reports {
namespace {

TEST(SequenceFigure, draws_a_limit_beside_the_claimed_value) {
  Evidence evidence;
  evidence.grid = {1, 10, 100};
  evidence.ratio = {0.5, 0.9, 0.99};
  evidence.statistic = "limit";
  evidence.bound = 1.0;
  const auto figure = sequence_figure(evidence, "limit");
  ASSERT_TRUE(figure.has_value());
  EXPECT_TRUE(figure->x.logarithmic);
  EXPECT_FALSE(figure->y.logarithmic);
  ASSERT_EQ(figure->reference_lines.size(), 1U);
  EXPECT_EQ(figure->reference_lines[0].value, 1.0);
}

TEST(SequenceFigure, leaves_evidence_alone_that_has_no_grid_or_a_figure_of_its_own) {
  Evidence evidence;
  EXPECT_FALSE(sequence_figure(evidence, "none").has_value());
  evidence.grid = {1, 2};
  evidence.ratio = {1, 2};
  evidence.figures.emplace_back();
  EXPECT_FALSE(sequence_figure(evidence, "none").has_value());
}

TEST(SequenceFigure, draws_parts_together_relative_to_what_each_claims) {
  Evidence evidence;
  for (const double claimed : {2.0, 4.0}) {
    Part part{"claims " + std::to_string(claimed), Verdict::supported, {}};
    part.evidence.grid = {1, 10};
    part.evidence.ratio = {claimed / 2, claimed};
    part.evidence.bound = claimed;
    evidence.parts.push_back(part);
  }
  const auto figure = sequence_figure(evidence, "parts");
  ASSERT_TRUE(figure.has_value());
  ASSERT_EQ(figure->series.size(), 2U);
  EXPECT_THAT(figure->series[1].y, testing::ElementsAre(0.5, 1.0));
  EXPECT_EQ(figure->reference_lines[0].value, 1.0);
}

TEST(SequenceFigure, is_named_after_its_claim_as_a_file_stem) {
  Results results = example();
  add_sequence_figures(results);
  const auto& figures = find_claim(results, "twicing/eigencapacity")->evidence.figures;
  ASSERT_EQ(figures.size(), 1U);
  EXPECT_EQ(figures[0].name, "twicing-eigencapacity-sequence");
}

}  // namespace
}  // namespace attest::reports
