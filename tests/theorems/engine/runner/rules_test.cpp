#include "theorems/engine/runner/rules.hpp"

#include <gtest/gtest.h>

#include "tests/theorems/engine/test_claims.hpp"
#include "tests/theorems/engine/unit_interval.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/identity.hpp"
#include "theorems/engine/protocols/inequality.hpp"
#include "theorems/engine/registry.hpp"
#include "theorems/engine/runner/runner.hpp"
#include "theorems/engine/verdict_rule.hpp"
#include "theorems/known_gaps.hpp"

namespace attest::engine {
namespace {

using rigor::Ball;

Claim claim_of(Check check, Verdict expected, std::vector<NearMiss> near_misses) {
  Claim claim = claim_with("paper/claim", Kind::universal_inequality, expected, std::move(check), {});
  claim.near_misses = std::move(near_misses);
  return claim;
}

ClaimResult judged(const Claim& claim, const Gaps& excuses = {}) {
  RunOptions options;
  options.near_misses = true;
  options.threads = 1;
  options.budget = parse_budget("quick");
  options.known_gaps = &excuses;
  return run({&claim}, options).results.at(0);
}

/// The sentence that a broken rule gives; empty where the verdict is not an error.
std::string fault(const Claim& claim, const Gaps& excuses = {}) {
  const ClaimResult result = judged(claim, excuses);
  return result.judgement.verdict == Verdict::error ? result.judgement.reason : "";
}

bool mentions(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

TEST(Rules, find_nothing_against_a_check_with_power) {
  EXPECT_EQ(
      fault(claim_of(parabola_below(0.25), Verdict::supported, {{"1 percent less", 0.01, parabola_below(0.2475)}})),
      "");
}

TEST(Rules, want_a_near_miss_for_every_part) {
  const auto parts = [](double first, double second) {
    return composite({{"first", Kind::universal_inequality, parabola_below(first)},
                      {"second", Kind::universal_inequality, parabola_below(second)}});
  };
  const Claim one_tested =
      claim_of(parts(0.25, 0.25), Verdict::supported, {{"the first too small", 0.01, parts(0.2475, 0.25)}});
  EXPECT_TRUE(mentions(fault(one_tested), "no near-miss shows that these parts can fall: second")) << fault(one_tested);
  const Claim both_tested =
      claim_of(parts(0.25, 0.25), Verdict::supported, {{"both too small", 0.01, parts(0.2475, 0.2475)}});
  EXPECT_EQ(fault(both_tested), "") << "a near-miss is judged part by part";
  EXPECT_EQ(judged(both_tested).near_misses[0].parts, (std::vector<std::string>{"first", "second"}));
  const Claim named = claim_of(
      parts(0.25, 0.25), Verdict::supported,
      {{"the first", 0.01, parts(0.2475, 0.25), "first"}, {"the second", 0.01, parts(0.25, 0.2475), "second"}});
  EXPECT_EQ(fault(named), "");
}

TEST(Rules, excuse_what_the_list_of_gaps_names_and_not_one_more) {
  const Check parts = composite({{"first", Kind::universal_inequality, parabola_below(0.25)},
                                 {"second", Kind::universal_inequality, parabola_below(0.25)}});
  const Claim untested = claim_of(parts, Verdict::supported, {{"elsewhere", 0.01, parabola_below(0.2475)}});
  EXPECT_EQ(fault(untested, {{.claim = "paper/claim", .parts_without_near_miss = 2}}), "");
  EXPECT_NE(fault(untested, {{.claim = "paper/claim", .parts_without_near_miss = 1}}), "");
  EXPECT_NE(fault(untested, {{.claim = "paper/other", .parts_without_near_miss = 2}}), "");
}

TEST(Rules, call_a_near_miss_idle_that_falls_by_the_claims_own_witness) {
  Claim refuted = claim_of(parabola_below(0.2), Verdict::refuted, {{"more is claimed", 0.05, parabola_below(0.19)}});
  refuted.near_hits = {{"true from a quarter on", 0.25, parabola_below(0.25)}};
  EXPECT_TRUE(mentions(fault(refuted), "these near-misses show nothing")) << fault(refuted);
  refuted.near_misses.clear();
  EXPECT_EQ(fault(refuted), "");
}

TEST(Rules, call_a_near_miss_idle_that_is_the_claim) {
  Claim refuted = claim_of(check_returning({violated_inequality()}), Verdict::refuted,
                           {{"the same in other words", 0.1, check_returning({violated_inequality()})}});
  refuted.near_hits = {{"weaker", 0.1, check_returning({good_inequality()})}};
  EXPECT_TRUE(mentions(fault(refuted), "the same in other words"));
}

TEST(Rules, want_a_near_hit_for_a_refuted_claim) {
  const Claim refuted = claim_of(parabola_below(0.2), Verdict::refuted, {});
  EXPECT_TRUE(mentions(fault(refuted), "no near-hit")) << fault(refuted);
  EXPECT_EQ(fault(refuted, {{.claim = "paper/claim", .no_near_hit = true}}), "");
}

TEST(Rules, refuse_a_formula_judged_against_itself) {
  const auto square = [](auto x) { return x * x; };
  const Claim itself =
      claim_of(inequality(below(square, square)), Verdict::supported, {{"less", 0.01, parabola_below(0.2475)}});
  EXPECT_TRUE(mentions(fault(itself), "a formula is judged against itself")) << fault(itself);
  InequalityProblem declared = below(square, square);
  declared.exact_rewriting = "both sides multiply the same two numbers";
  EXPECT_EQ(fault(claim_of(inequality(declared), Verdict::supported, {{"less", 0.01, parabola_below(0.2475)}})), "");
}

TEST(Rules, refuse_sides_that_do_not_depend_on_the_inputs) {
  const auto one = [](auto x) { return 1 + 0 * x; };
  const auto two = [](auto x) { return 2 + 0 * x; };
  const Claim typed =
      claim_of(inequality(below(one, two)), Verdict::supported, {{"less", 0.01, parabola_below(0.2475)}});
  EXPECT_TRUE(mentions(fault(typed), "do not depend on the inputs")) << fault(typed);
}

TEST(Rules, refuse_an_identity_whose_residual_is_always_exactly_zero) {
  auto p = of_one_number<IdentityProblem>(0, 1);
  p.sides = [](const Inputs& in) { return IdentitySides{{in.scalar("x") / 3}, {in.scalar("x") / 3}, 0}; };
  p.ball_sides = [](const Inputs& in) {
    return IdentityBallSides{{Ball(in.scalar("x")) / 3}, {Ball(in.scalar("x")) / 3}};
  };
  Claim claim = claim_of(identity(p), Verdict::supported, {{"less", 0.01, parabola_below(0.2475)}});
  claim.statement.kind = Kind::definition;
  EXPECT_TRUE(mentions(fault(claim), "a formula is judged against itself")) << fault(claim);
}

TEST(Rules, refuse_a_search_with_nothing_to_follow) {
  // 0 <= x + 1: relative to the sides alone the slack is 1 wherever it is measured.
  InequalityProblem blind = below([](auto x) { return 0 * x; }, [](auto x) { return x + 1; });
  const std::vector<NearMiss> miss = {{"less", 0.01, parabola_below(0.2475)}};
  EXPECT_TRUE(mentions(fault(claim_of(inequality(blind), Verdict::supported, miss)), "the search is blind"));
  blind.sides = [](const Inputs& in) { return Sides{0, in.scalar("x") + 1, 2}; };
  EXPECT_EQ(fault(claim_of(inequality(blind), Verdict::supported, miss)), "") << "scaled by its terms it can follow";
}

TEST(Rules, count_a_limit_with_the_trend_against_it_as_caught) {
  SequenceEvidence against;
  against.n = {1, 2, 4};
  against.ratio = {1, 1, 1};
  against.interval = {2, 3};
  against.claimed = 1;
  const Judgement judgement = judge(Kind::limit, {against});
  EXPECT_EQ(judgement.verdict, Verdict::undecided);
  EXPECT_TRUE(contradicted({against}, judgement));
  EXPECT_FALSE(contradicted({good_inequality()}, judge(Kind::universal_inequality, {good_inequality()})));
}

TEST(KnownGaps, name_statements_of_the_suite_and_only_shrink) {
  constexpr int owed = 0;  // it never rises
  EXPECT_EQ(size_of(known_gaps()), owed);
  for (const Gap& gap : known_gaps()) EXPECT_NO_THROW(find_claim(gap.claim)) << gap.claim;
}

}  // namespace
}  // namespace attest::engine
