#include "theorems/engine/protocols/sequence.hpp"

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

TEST(Sequence, supports_a_limit_and_refutes_one_that_is_off_by_a_percent) {
  EXPECT_EQ(judgement(n_sin(Asymptotics::limit, one)).verdict, Verdict::supported);
  const auto off = n_sin(Asymptotics::limit, [](double) { return Ball(1.02); });
  const Evidence evidence = sequence(off).run(Context{});
  EXPECT_EQ(judge(Kind::limit, evidence).verdict, Verdict::refuted);
  EXPECT_TRUE(sequence(off).replay(*witness_of(evidence), Context{}).confirmed);
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
  EXPECT_EQ(judgement(n_sin(Asymptotics::equivalent, twice)).verdict, Verdict::refuted);
  EXPECT_EQ(judgement(n_sin(Asymptotics::same_order, twice)).verdict, Verdict::supported);
}

TEST(Sequence, refutes_a_wrong_exponent_and_an_exponential_mismatch) {
  const auto slow = [](double n) { return rigor::pow(Ball(n), Ball(-0.02)); };
  EXPECT_EQ(judgement(n_sin(Asymptotics::same_order, slow)).verdict, Verdict::refuted);
  const auto exponential = [](double n) { return rigor::exp(-Ball(n) / 100); };
  EXPECT_EQ(judgement(n_sin(Asymptotics::same_order, exponential)).verdict, Verdict::refuted);
}

TEST(Sequence, knows_that_an_upper_order_is_one_sided) {
  const auto growing = [](double n) { return Ball(n); };
  const auto shrinking = [](double n) { return 1 / Ball(n); };
  EXPECT_EQ(judgement(n_sin(Asymptotics::at_most, growing)).verdict, Verdict::supported);
  EXPECT_EQ(judgement(n_sin(Asymptotics::at_most, shrinking)).verdict, Verdict::refuted);
}

TEST(Sequence, does_not_support_a_limit_that_the_sequence_walks_away_from) {
  SequenceProblem drifting = n_sin(Asymptotics::limit, one);
  drifting.value = [](double n) { return rigor::log(Ball(n)) / 100 + 1; };
  EXPECT_NE(judgement(drifting).verdict, Verdict::supported);
}

}  // namespace
}  // namespace attest::engine
