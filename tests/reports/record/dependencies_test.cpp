#include "reports/record/dependencies.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace attest::reports {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Claim claim(std::string id, Verdict verdict, std::vector<std::string> depends_on, bool printed = true) {
  Claim result;
  result.id = std::move(id);
  result.paper = "paper";
  result.verdict = verdict;
  result.depends_on = std::move(depends_on);
  result.printed = printed;
  return result;
}

constexpr Verdict falls = Verdict::refuted;
constexpr Verdict stands = Verdict::supported;

/// A theorem refuted, a corollary that rests on it, a remark that rests on the corollary and on the theorem, an
/// abstract that rests on the remark, and a statement apart.
Results chain() {
  Results results;
  results.claims = {claim("abstract", stands, {"remark"}), claim("theorem", falls, {}),
                    claim("corollary", falls, {"theorem"}),
                    claim("remark", Verdict::undecided, {"corollary", "theorem"}), claim("apart", falls, {})};
  return results;
}

const Claim& in(const Results& results, std::string_view id) { return *find_claim(results, id); }

std::vector<std::string> ids(const std::vector<Dependent>& dependents) {
  std::vector<std::string> result;
  for (const Dependent& dependent : dependents) result.push_back(dependent.claim->id);
  return result;
}

TEST(Dependents, are_those_that_rest_on_a_statement_directly_or_through_others) {
  const Results results = chain();
  const auto dependents = dependents_of(results, in(results, "theorem"));
  EXPECT_THAT(ids(dependents), ElementsAre("corollary", "remark", "abstract"));
  EXPECT_EQ(dependents[1].steps, 1) << "the shortest way counts";
  EXPECT_EQ(dependents[1].through->id, "theorem");
  EXPECT_EQ(dependents[2].steps, 2);
  EXPECT_EQ(dependents[2].through->id, "remark");
  EXPECT_THAT(dependents_of(results, in(results, "abstract")), IsEmpty());
  EXPECT_THAT(dependents_of(results, in(results, "apart")), IsEmpty());
}

TEST(Dependents, are_reached_through_statements_of_ours_which_are_not_listed) {
  Results results = chain();
  results.claims.push_back(claim("ours", stands, {"theorem"}, false));
  results.claims.push_back(claim("last", falls, {"ours"}));
  const auto dependents = dependents_of(results, in(results, "theorem"));
  EXPECT_THAT(ids(dependents), ElementsAre("corollary", "remark", "last", "abstract"));
  EXPECT_EQ(dependents[2].steps, 1);
  EXPECT_EQ(dependents[2].through->id, "theorem");
}

TEST(Dependents, of_a_circle_end_where_it_began) {
  Results results;
  results.claims = {claim("a", falls, {"c"}), claim("b", falls, {"a"}), claim("c", falls, {"b"})};
  EXPECT_THAT(ids(dependents_of(results, in(results, "a"))), ElementsAre("b", "c"));
  EXPECT_EQ(fall_graphs(results, "paper")[0].nodes.size(), 3U);
}

TEST(Dependents, may_rest_on_statements_that_this_run_did_not_judge) {
  Results results = chain();
  results.claims[2].depends_on.push_back("paper/elsewhere");
  EXPECT_THAT(ids(dependents_of(results, in(results, "theorem"))), ElementsAre("corollary", "remark", "abstract"));
}

TEST(Dependents, are_held_where_every_way_leads_over_one_that_stands_by_itself) {
  Results results = chain();
  const auto held = [&](std::string_view id) {
    for (const Dependent& dependent : dependents_of(results, in(results, "theorem")))
      if (dependent.claim->id == id) return dependent.held;
    ADD_FAILURE() << id;
    return false;
  };
  EXPECT_FALSE(held("abstract")) << "the remark that it rests on is undecided";
  results.claims[3].verdict = stands;
  EXPECT_FALSE(held("remark")) << "it rests on the theorem itself";
  EXPECT_TRUE(held("abstract"));
  results.claims[0].depends_on.push_back("corollary");
  EXPECT_FALSE(held("abstract")) << "another way leads over the corollary, which fell";
}

TEST(Standing, is_what_its_own_check_speaks_for) {
  EXPECT_TRUE(stands_by_itself(claim("x", Verdict::supported, {})));
  EXPECT_TRUE(stands_by_itself(claim("x", Verdict::certified, {})));
  for (const Verdict verdict : {Verdict::refuted, Verdict::undecided, Verdict::vacuous, Verdict::error})
    EXPECT_FALSE(stands_by_itself(claim("x", verdict, {})));
}

TEST(FallGraph, puts_each_statement_below_what_it_rests_on) {
  const Results results = chain();
  const auto graphs = fall_graphs(results, "paper");
  ASSERT_EQ(graphs.size(), 1U) << "what stands alone is not drawn";
  std::vector<std::string> nodes;
  for (const Claim* node : graphs[0].nodes) nodes.push_back(node->id);
  EXPECT_THAT(nodes, ElementsAre("theorem", "corollary", "remark", "abstract"));
  std::vector<std::pair<std::size_t, std::size_t>> edges;
  for (const Edge& edge : graphs[0].edges) edges.emplace_back(edge.ground, edge.dependent);
  EXPECT_THAT(edges, ElementsAre(testing::Pair(0, 1), testing::Pair(0, 2), testing::Pair(1, 2), testing::Pair(2, 3)));
  EXPECT_THAT(fall_graphs(results, "another"), IsEmpty());
}

TEST(FallGraph, draws_what_does_not_belong_together_apart_and_the_largest_first) {
  Results results = chain();
  results.claims.insert(results.claims.begin(), claim("lemma", falls, {}));
  results.claims.push_back(claim("use", stands, {"lemma"}));
  const auto graphs = fall_graphs(results, "paper");
  ASSERT_EQ(graphs.size(), 2U);
  EXPECT_EQ(graphs[0].nodes.size(), 4U);
  EXPECT_EQ(graphs[1].nodes[0]->id, "lemma");
}

}  // namespace
}  // namespace attest::reports
