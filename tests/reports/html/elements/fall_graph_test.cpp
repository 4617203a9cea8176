#include "reports/html/elements/fall_graph.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace attest::reports::html {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Claim claim(std::string label, Verdict verdict) {
  Claim result;
  result.label = std::move(label);
  result.verdict = verdict;
  return result;
}

TEST(FallGraphDrawing, names_every_statement_in_its_verdicts_class_and_draws_every_edge) {
  const Claim theorem = claim("Thm 3.2", Verdict::refuted);
  const Claim corollary = claim("Cor 3.2 <first>", Verdict::supported);
  const std::string svg = fall_graph_drawing({{&theorem, &corollary}, {{0, 1}}});
  EXPECT_THAT(svg, AllOf(HasSubstr("class=\"node refuted\""), HasSubstr("class=\"node supported\""),
                         HasSubstr(">Thm 3.2<"), HasSubstr(">Cor 3.2 &lt;first&gt;<"), HasSubstr("class=\"arc\"")));
  EXPECT_THAT(svg, HasSubstr("2 statements, 1 arrow"));
  EXPECT_THAT(svg, Not(HasSubstr("http"))) << "a page needs no network";
}

TEST(FallGraphDrawing, spells_mathematics_with_its_letters_and_signs) {
  const Claim bound = claim("Thm 3.2 (sigma L sqrt N, alpha^n -> 0, order <= 1)", Verdict::refuted);
  EXPECT_THAT(fall_graph_drawing({{&bound}, {}}), HasSubstr("(σ L √N, α^n → 0, order ≤"));
}

TEST(FallGraphDrawing, breaks_long_labels_into_two_lines_and_cuts_the_rest) {
  const Claim claim_of_many_words = claim(
      "Sec 3 row-wise softmax of the inner products is a proxy to the nearest-neighbour adjacency of the graph that "
      "the "
      "text has in mind",
      Verdict::refuted);
  const std::string svg = fall_graph_drawing({{&claim_of_many_words}, {}});
  EXPECT_THAT(svg, HasSubstr("…"));
  std::size_t lines = 0;
  for (std::size_t at = svg.find("<tspan"); at != std::string::npos; at = svg.find("<tspan", at + 1)) ++lines;
  EXPECT_EQ(lines, 2U);
}

}  // namespace
}  // namespace attest::reports::html
