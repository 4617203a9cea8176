#include "theorems/engine/protocols/inequality.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/theorems/engine/protocols/lipschitz_problem.hpp"
#include "tests/theorems/engine/unit_interval.hpp"
#include "theorems/engine/verdict_rule.hpp"

namespace attest::engine {
namespace {

using rigor::Ball;

Context context() {
  Context c;
  c.seed = 7;
  c.key = 11;
  return c;
}

Verdict verdict_of(const Check& check) { return judge(Kind::universal_inequality, check.run(context())).verdict; }

TEST(Inequality, finds_the_known_lipschitz_constant_of_softmax_in_every_norm) {
  for (const double p : {1.0, 2.0, std::numeric_limits<double>::infinity()}) {
    const Evidence evidence = inequality(softmax_lipschitz(p, 0.5)).run(context());
    const auto& found = std::get<InequalityEvidence>(evidence.body);
    EXPECT_EQ(judge(Kind::universal_inequality, evidence).verdict, Verdict::supported) << "p = " << p;
    EXPECT_LT(found.least_slack, 0.001) << "the search must come within a tenth of a percent of 1/2, p = " << p;
  }
}

TEST(Inequality, refutes_a_lipschitz_constant_one_percent_too_small) {
  for (const double p : {1.0, 2.0, std::numeric_limits<double>::infinity()})
    EXPECT_EQ(verdict_of(inequality(softmax_lipschitz(p, 0.495))), Verdict::refuted) << "p = " << p;
}

TEST(Inequality, stores_a_witness_that_replays_alone) {
  const Check check = inequality(softmax_lipschitz(2, 0.45));
  const Evidence evidence = check.run(context());
  const auto witness = witness_of(evidence);
  ASSERT_TRUE(witness.has_value());
  const Replay replay = check.replay(*witness, context());
  EXPECT_TRUE(replay.confirmed);
  EXPECT_GE(replay.precision_bits, 100);
  Witness tampered = *witness;
  tampered.inputs = Inputs{{"x", {0, 0}}, {"y", {1, 1}}};
  EXPECT_FALSE(check.replay(tampered, context()).confirmed) << "a point that violates nothing must not be confirmed";
}

TEST(Inequality, calls_assumptions_that_are_never_met_vacuous) {
  InequalityProblem problem = softmax_lipschitz(2, 0.5);
  problem.sides = [](const Inputs&) { return Sides{std::nan(""), 1}; };
  EXPECT_EQ(verdict_of(inequality(std::move(problem))), Verdict::vacuous);
}

TEST(Inequality, finds_a_small_violation_beside_a_large_one_that_lost_digits_made) {
  auto problem = of_one_number<InequalityProblem>(1e-12, 1);
  // x^2 <= x^2 (1.05 - 0.1 x) fails for x > 1/2 only; the doubles lose all of the right side near 0.
  problem.sides = [](const Inputs& in) {
    const double x = in.scalar("x");
    return Sides{x * x, ((1 + x * x) - 1) * (1.05 - 0.1 * x)};
  };
  problem.ball_sides = [](const Inputs& in) {
    const rigor::Ball x(in.scalar("x"));
    return BallSides{x * x, x * x * (rigor::Ball(1.05) - rigor::Ball(0.1) * x)};
  };
  problem.corners = {{1e-9}};
  EXPECT_EQ(verdict_of(inequality(std::move(problem))), Verdict::refuted);
}

TEST(Inequality, does_not_confirm_a_violation_that_only_rounding_made) {
  InequalityProblem problem = softmax_lipschitz(2, 0.5);
  // x + 1 <= x + 1 in exact arithmetic; the double evaluation is made to lose.
  problem.sides = [](const Inputs&) { return Sides{1 + 1e-12, 1}; };
  problem.ball_sides = [](const Inputs& in) {
    return BallSides{rigor::Ball(in["x"][0]) + 1, 1 + rigor::Ball(in["x"][0])};
  };
  EXPECT_EQ(verdict_of(inequality(std::move(problem))), Verdict::supported);
}

/// x <= (1 - x / 5) x on [0, 1], plus `size`: violated by a fifth at x = 1, and by next to nothing near 0.
InequalityProblem fails_most_at_one() {
  return below([](auto x) { return x; }, [](auto x) { return x * (1 - x / 5); }, 0x1p-40, 0.99);
}

TEST(Inequality, stores_a_short_witness_that_still_shows_half_of_the_violation) {
  const Evidence evidence = inequality(fails_most_at_one()).run(context());
  const double x = witness_of(evidence)->inputs.scalar("x");
  EXPECT_GE(x / 5, 0.99 / 5 / 2);
  EXPECT_EQ(x, 0.5) << "one binary digit is enough for half of it";
}

TEST(Inequality, shows_a_near_miss_as_found) {
  Context near_miss = context();
  near_miss.stop_at_violation = true;
  EXPECT_TRUE(witness_of(inequality(fails_most_at_one()).run(near_miss)).has_value());
}

TEST(Inequality, scales_the_slack_by_the_terms_where_a_side_is_zero) {
  EXPECT_EQ(relative_slack(Relation::less_equal, {0, 3}), 1) << "against the sides alone nothing else is possible";
  EXPECT_EQ(relative_slack(Relation::less_equal, {0, 3, 12}), 0.25);
}

TEST(Inequality, never_states_a_negative_slack_for_a_statement_that_stands) {
  InequalityEvidence rounded;
  rounded.least_slack = -1e-16;
  rounded.ball_slack = 3e-40;
  EXPECT_EQ(stated_slack(rounded), 3e-40);
  rounded.ball_slack = -3e-40;
  EXPECT_EQ(stated_slack(rounded), 0) << "balls overlap there";
  rounded.least_slack = 0;
  rounded.ball_slack = 1.5e-52;
  EXPECT_EQ(stated_slack(rounded), 1.5e-52) << "0 in doubles is not yet attained";
  rounded.least_slack = -1e-16;
  rounded.witness = Witness{};
  EXPECT_EQ(stated_slack(rounded), -1e-16) << "a violation is stated as it is";
}

TEST(Inequality, gives_equal_sides_the_slack_zero_without_a_sign) {
  for (const auto relation : {Relation::less_equal, Relation::greater_equal, Relation::equal})
    EXPECT_FALSE(std::signbit(relative_slack(relation, {3, 3}))) << symbol(relation);
}

TEST(Inequality, calls_a_bound_attained_only_where_narrow_balls_agree) {
  const auto attained = [](Ball (*rhs)(double)) {
    InequalityProblem problem;
    problem.lower = {1};
    problem.upper = {2};
    problem.decode = [](std::span<const double> x) { return Inputs{{"x", {x[0]}}}; };
    problem.sides = [](const Inputs& in) { return Sides{in.scalar("x"), in.scalar("x")}; };
    problem.ball_sides = [rhs](const Inputs& in) { return BallSides{Ball(in.scalar("x")), rhs(in.scalar("x"))}; };
    return std::get<InequalityEvidence>(inequality(problem).run(Context{}).body).tie_at_least_slack;
  };
  EXPECT_TRUE(attained([](double x) { return Ball(x) * Ball(3) / Ball(3); }));
  EXPECT_FALSE(attained([](double x) { return Ball(x) * (1 + Ball(0x1p-400)); })) << "400 bits are not 500";
  EXPECT_FALSE(attained([](double x) { return Ball::hull(Ball(x), Ball(x + 1)); }));
  EXPECT_FALSE(attained([](double) { return 1 / Ball::hull(Ball(-1), Ball(1)); }));
}

TEST(Existence, establishes_a_point_with_the_claimed_property) {
  InequalityProblem problem = softmax_lipschitz(2, 0.4);
  problem.relation = Relation::greater;
  const Check check = existence(problem);
  const Evidence evidence = check.run(context());
  EXPECT_EQ(judge(Kind::existence, evidence).verdict, Verdict::certified);
  EXPECT_TRUE(check.replay(*witness_of(evidence), context()).confirmed);
  InequalityProblem impossible = softmax_lipschitz(2, 0.51);
  impossible.relation = Relation::greater;
  EXPECT_EQ(judge(Kind::existence, existence(impossible).run(context())).verdict, Verdict::undecided);
}

TEST(Inequality, gives_the_same_bits_for_any_number_of_threads) {
  const Check check = inequality(softmax_lipschitz(2, 0.5));
  Context two = context();
  two.threads = 2;
  const auto one_thread = std::get<InequalityEvidence>(check.run(context()).body);
  const auto two_threads = std::get<InequalityEvidence>(check.run(two).body);
  EXPECT_EQ(one_thread.least_slack, two_threads.least_slack);
  EXPECT_EQ(one_thread.slack_at, two_threads.slack_at);
  EXPECT_EQ(one_thread.admissible, two_threads.admissible);
}

}  // namespace
}  // namespace attest::engine
