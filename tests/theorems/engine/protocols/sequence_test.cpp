#include "theorems/engine/protocols/sequence.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

#include "theorems/engine/verdict_rule.hpp"

namespace attest::engine {
namespace {

using rigor::Ball;

/// n sin(1/n), which tends to 1 with error 1/(6 n^2), against `reference`.
SequenceProblem n_sin(Asymptotics claim, std::function<Ball(double)> reference) {
  SequenceProblem problem;
  problem.claim = claim;
  problem.n = geometric_grid(4, 2, 12);
  problem.value = [](double n) { return Ball(n) * rigor::sin(1 / Ball(n)); };
  problem.reference = std::move(reference);
  return problem;
}

Judgement judgement(const SequenceProblem& problem) { return judge(Kind::limit, sequence(problem).run(Context{})); }

Ball one(double) { return Ball(1); }

/// The trend is against the claim, and that is all that a finite grid can say.
void expect_against_the_trend(const SequenceProblem& problem) {
  const Evidence evidence = sequence(problem).run(Context{});
  const Judgement judged = judge(Kind::limit, evidence);
  EXPECT_EQ(judged.verdict, Verdict::undecided);
  EXPECT_EQ(judged.reason.rfind("against the trend on this grid: ", 0), 0U) << judged.reason;
  EXPECT_TRUE(against_trend(std::get<SequenceEvidence>(evidence.body)));
  EXPECT_FALSE(witness_of(evidence).has_value());
}

/// n sin(1/n) -> 1.02, which it never comes near, for it stays below 1.
SequenceProblem off_by_two_percent() {
  SequenceProblem off = n_sin(Asymptotics::limit, [](double) { return Ball(1.02); });
  off.beyond = {"sin x < x, so the value stays below 1", [](double) { return Ball(0.02); }};
  return off;
}

TEST(Sequence, supports_a_limit_and_sees_that_another_is_against_the_trend) {
  EXPECT_EQ(judgement(n_sin(Asymptotics::limit, one)).verdict, Verdict::supported);
  expect_against_the_trend(n_sin(Asymptotics::limit, [](double) { return Ball(1.02); }));
}

TEST(Sequence, refutes_a_limit_by_a_bound_that_holds_beyond_the_grid) {
  const Check check = sequence(off_by_two_percent());
  const Evidence evidence = check.run(Context{});
  const Judgement judged = judge(Kind::limit, evidence);
  EXPECT_EQ(judged.verdict, Verdict::refuted);
  EXPECT_NE(judged.reason.find("the value stays below 1"), std::string::npos) << judged.reason;
  EXPECT_TRUE(check.replay(*witness_of(evidence), Context{}).confirmed);
}

TEST(Sequence, takes_from_a_witness_file_the_place_on_its_own_grid_and_nothing_else) {
  Witness forged;
  forged.inputs = Inputs{{"n", {16, 32}}, {"threshold", {0x1p-10}}};
  const Check without_bound = sequence(n_sin(Asymptotics::limit, one));
  EXPECT_THROW(without_bound.replay(forged, Context{}), std::invalid_argument) << "one place, not two";
  forged.inputs = Inputs{{"n", {32}}, {"threshold", {0x1p-10}}};
  EXPECT_FALSE(without_bound.replay(forged, Context{}).confirmed) << "a threshold of the file's own refutes nothing";
  forged.inputs = Inputs{{"n", {1e300}}};
  EXPECT_FALSE(sequence(off_by_two_percent()).replay(forged, Context{}).confirmed) << "no place of the grid";
}

TEST(Sequence, supports_no_limit_by_its_bound_beyond_the_grid) {
  SequenceProblem true_limit = n_sin(Asymptotics::limit, one);
  true_limit.beyond = {"a mistake", [](double) { return Ball(0.5); }};
  EXPECT_EQ(judgement(true_limit).verdict, Verdict::supported) << "the grid does not speak against the claim";
}

TEST(Sequence, takes_no_midpoint_of_a_wide_enclosure_for_a_value) {
  SequenceProblem vague = n_sin(Asymptotics::limit, one);
  vague.value = [](double) { return Ball::hull(Ball(0.5), Ball(1.5)); };
  EXPECT_EQ(judgement(vague).verdict, Verdict::undecided);
  vague.value = [](double) { return 1 / Ball::hull(Ball(-1), Ball(1)); };
  EXPECT_EQ(judgement(vague).verdict, Verdict::error);
}

TEST(Sequence, tells_an_equivalence_from_a_mere_order) {
  const auto twice = [](double) { return Ball(2); };
  EXPECT_EQ(judgement(n_sin(Asymptotics::equivalent, one)).verdict, Verdict::supported);
  expect_against_the_trend(n_sin(Asymptotics::equivalent, twice));
  EXPECT_EQ(judgement(n_sin(Asymptotics::same_order, twice)).verdict, Verdict::supported);
}

TEST(Sequence, sees_a_wrong_exponent_and_an_exponential_mismatch) {
  const auto slow = [](double n) { return rigor::pow(Ball(n), Ball(-0.02)); };
  expect_against_the_trend(n_sin(Asymptotics::same_order, slow));
  const auto exponential = [](double n) { return rigor::exp(-Ball(n) / 100); };
  expect_against_the_trend(n_sin(Asymptotics::same_order, exponential));
}

TEST(Sequence, knows_that_an_upper_order_is_one_sided) {
  const auto growing = [](double n) { return Ball(n); };
  const auto shrinking = [](double n) { return 1 / Ball(n); };
  EXPECT_EQ(judgement(n_sin(Asymptotics::at_most, growing)).verdict, Verdict::supported);
  expect_against_the_trend(n_sin(Asymptotics::at_most, shrinking));
}

TEST(Sequence, does_not_support_a_limit_that_the_sequence_walks_away_from) {
  SequenceProblem drifting = n_sin(Asymptotics::limit, one);
  drifting.value = [](double n) { return rigor::log(Ball(n)) / 100 + 1; };
  EXPECT_NE(judgement(drifting).verdict, Verdict::supported);
}

}  // namespace
}  // namespace attest::engine
