#include "theorems/engine/protocols/certification.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

#include "theorems/engine/verdict_rule.hpp"

namespace attest::engine {
namespace {

Verdict verdict_of(Kind kind, const Check& check) { return judge(kind, check.run(Context{})).verdict; }

// x (1 - x) - level on [0, 1]: its values are [-level, 1/4 - level].
BoxProblem parabola(double level) {
  BoxProblem problem;
  problem.domain = "x in [0, 1]";
  problem.coordinates = {"x"};
  problem.lower = {0};
  problem.upper = {1};
  problem.margin = [level](std::span<const rigor::Ball> x) { return x[0] * (1 - x[0]) - rigor::Ball(level); };
  problem.boxes = 2000;
  return problem;
}

TEST(CertifyOnBox, certifies_what_holds_up_to_the_edge_and_refutes_what_fails_there) {
  EXPECT_EQ(verdict_of(Kind::universal_inequality, certify_on_box(parabola(0))), Verdict::certified);
  EXPECT_EQ(verdict_of(Kind::universal_inequality, certify_on_box(parabola(0.001))), Verdict::refuted);
}

/// (x - 1/2)^2 + gap >= 0, which touches 0 inside the box for gap = 0.
BoxProblem touching(double gap) {
  BoxProblem problem = parabola(0);
  problem.margin = [gap](std::span<const rigor::Ball> x) { return rigor::square(x[0] - 0.5) + gap; };
  return problem;
}

TEST(CertifyOnBox, refuses_a_claim_that_fails_by_a_billionth_at_one_place) {
  EXPECT_EQ(verdict_of(Kind::universal_inequality, certify_on_box(touching(0))), Verdict::certified);
  constexpr double gap = 1e-9;
  const Check check = certify_on_box(touching(-gap));
  const Evidence evidence = check.run(Context{});
  EXPECT_EQ(judge(Kind::universal_inequality, evidence).verdict, Verdict::refuted);
  EXPECT_NEAR(witness_of(evidence)->inputs.scalar("x"), 0.5, std::sqrt(gap));
  EXPECT_TRUE(check.replay(*witness_of(evidence), Context{}).confirmed);
}

TEST(CertifyOnBox, does_not_count_a_point_outside_the_box_as_a_witness) {
  const Check check = certify_on_box(parabola(0));
  Witness outside;
  outside.inputs = Inputs{{"x", {2}}};
  EXPECT_FALSE(check.replay(outside, Context{}).confirmed) << "x (1 - x) < 0 at 2, but 2 is not in [0, 1]";
  outside.inputs = Inputs{{"y", {0.5}}};
  EXPECT_THROW(check.replay(outside, Context{}), std::invalid_argument);
}

TEST(CertifyOnBox, leaves_undecided_what_the_enclosures_cannot_settle) {
  BoxProblem expanded = touching(0);
  expanded.margin = [](std::span<const rigor::Ball> x) { return x[0] * x[0] - x[0] + 0.25; };
  const Evidence open = certify_on_box(expanded).run(Context{});
  EXPECT_EQ(judge(Kind::universal_inequality, open).verdict, Verdict::undecided);
  const double fraction = std::get<CertificationEvidence>(open.body).undecided_fraction;
  EXPECT_GT(fraction, 0);
  EXPECT_LT(fraction, 0.1) << "what is far from the zero is settled";
  BoxProblem undefined = touching(0);
  undefined.margin = [](std::span<const rigor::Ball> x) { return rigor::log(x[0] - 2); };
  EXPECT_EQ(verdict_of(Kind::universal_inequality, certify_on_box(undefined)), Verdict::undecided);
}

TEST(CertifyOnBox, decides_a_box_of_no_volume_at_its_point) {
  BoxProblem point = touching(0);
  point.lower = point.upper = {0.25};
  EXPECT_EQ(verdict_of(Kind::universal_inequality, certify_on_box(point)), Verdict::certified);
  point.margin = [](std::span<const rigor::Ball> x) { return rigor::square(rigor::sqrt(x[0] + 1)) - (x[0] + 1); };
  EXPECT_EQ(verdict_of(Kind::universal_inequality, certify_on_box(point)), Verdict::undecided)
      << "0 to the last bit is not shown to be 0, and the rest of no volume is still a rest";
}

TEST(CertifyOnBox, refuses_misuse) {
  BoxProblem no_margin = parabola(0);
  no_margin.margin = nullptr;
  EXPECT_THROW(certify_on_box(no_margin), std::invalid_argument);
  BoxProblem uneven = parabola(0);
  uneven.upper = {1, 1};
  EXPECT_THROW(certify_on_box(uneven), std::invalid_argument);
  BoxProblem reversed = parabola(0);
  reversed.lower = {2};
  EXPECT_THROW(certify_on_box(reversed).run(Context{}), std::invalid_argument);
}

TEST(ExistsOnBox, finds_a_point_or_proves_that_there_is_none) {
  EXPECT_EQ(verdict_of(Kind::existence, exists_on_box(parabola(0.001))), Verdict::certified);
  EXPECT_EQ(verdict_of(Kind::existence, exists_on_box(parabola(0))), Verdict::refuted);
}

TEST(ExistsOnBox, stays_undecided_when_the_budget_ends_first) {
  BoxProblem problem = parabola(0);
  // The same function, written so that no box around its zeros can be settled.
  problem.margin = [](std::span<const rigor::Ball> x) { return x[0] - x[0] * x[0]; };
  EXPECT_EQ(verdict_of(Kind::existence, exists_on_box(problem)), Verdict::undecided);
}

TEST(ExistsOnBox, stores_a_point_that_establishes_the_claim_alone) {
  const Check check = exists_on_box(parabola(0.2));
  const auto witness = witness_of(check.run(Context{}));
  ASSERT_TRUE(witness.has_value());
  EXPECT_TRUE(check.replay(*witness, Context{}).confirmed);
  Witness tampered = *witness;
  tampered.inputs = Inputs{{"x", {0.5}}};
  EXPECT_FALSE(check.replay(tampered, Context{}).confirmed);
}

/// sum_{k <= n} binomial(n, k) = base^n for n = 0, ..., 20, in whole numbers.
EnumerationProblem binomial_sums(int base) {
  EnumerationProblem problem;
  problem.domain = "n = 0, ..., 20";
  problem.cases = 21;
  problem.relation = Relation::equal;
  problem.case_inputs = [](std::int64_t n) { return Inputs{{"n", {static_cast<double>(n)}}}; };
  problem.ball_sides = [base](const Inputs& in) {
    const auto n = static_cast<std::int64_t>(in.scalar("n"));
    rigor::Ball sum(0);
    std::int64_t binomial = 1;
    for (std::int64_t k = 0; k <= n; ++k) {
      sum += binomial;
      binomial = binomial * (n - k) / (k + 1);
    }
    return BallSides{sum, rigor::pow(rigor::Ball(base), n)};
  };
  return problem;
}

TEST(Enumerate, certifies_an_equality_that_holds_exactly_in_every_case) {
  const Evidence evidence = enumerate(binomial_sums(2)).run(Context{});
  EXPECT_EQ(judge(Kind::identity, evidence).verdict, Verdict::certified);
  EXPECT_EQ(std::get<CertificationEvidence>(evidence.body).boxes, 21);
}

TEST(Enumerate, refutes_by_the_first_case_that_shows_half_of_the_largest_violation) {
  const Check check = enumerate(binomial_sums(3));
  const Evidence evidence = check.run(Context{});
  EXPECT_EQ(judge(Kind::identity, evidence).verdict, Verdict::refuted);
  EXPECT_EQ(witness_of(evidence)->inputs.scalar("n"), 2)
      << "4 against 9; 2 against 3 is off by a third of the larger only, 2^20 by nearly all";
  EXPECT_TRUE(check.replay(*witness_of(evidence), Context{}).confirmed);
}

TEST(Enumerate, finds_one_wrong_case_among_many_at_the_last_place) {
  EnumerationProblem problem = binomial_sums(2);
  problem.ball_sides = [right = problem.ball_sides](const Inputs& in) {
    BallSides sides = right(in);
    if (in.scalar("n") == 20) sides.rhs += rigor::Ball(1e-30);
    return sides;
  };
  const Evidence evidence = enumerate(problem).run(Context{});
  EXPECT_EQ(judge(Kind::identity, evidence).verdict, Verdict::refuted);
  EXPECT_EQ(witness_of(evidence)->inputs.scalar("n"), 20);
}

TEST(Enumerate, does_not_pass_a_case_that_the_balls_leave_open) {
  EnumerationProblem problem = binomial_sums(2);
  const auto open_at_two = [&](const BallSides& open) {
    EnumerationProblem changed = problem;
    changed.ball_sides = [right = problem.ball_sides, open](const Inputs& in) {
      return in.scalar("n") == 2 ? open : right(in);
    };
    const Evidence evidence = enumerate(changed).run(Context{});
    EXPECT_EQ(std::get<CertificationEvidence>(evidence.body).undecided_fraction, 1.0 / 21);
    return judge(Kind::identity, evidence).verdict;
  };
  const rigor::Ball root = rigor::sqrt(rigor::Ball(2));
  const rigor::Ball undefined = rigor::log(rigor::Ball(-1));
  EXPECT_EQ(open_at_two({rigor::square(root), rigor::Ball(2)}), Verdict::undecided) << "equal to 128 bits, not proved";
  EXPECT_EQ(open_at_two({undefined, undefined}), Verdict::undecided);
  EXPECT_EQ(open_at_two({rigor::Ball(4), rigor::Ball(std::numeric_limits<double>::infinity())}), Verdict::undecided);
  EXPECT_EQ(open_at_two({rigor::Ball(4), rigor::Ball(4), false}), Verdict::undecided) << "assumptions not met";
}

TEST(Enumerate, tells_strict_from_weak_inequalities_at_equality) {
  EnumerationProblem problem = binomial_sums(2);
  problem.relation = Relation::less_equal;
  EXPECT_EQ(verdict_of(Kind::universal_inequality, enumerate(problem)), Verdict::certified);
  problem.relation = Relation::less;
  EXPECT_EQ(verdict_of(Kind::universal_inequality, enumerate(problem)), Verdict::refuted);
  problem.relation = Relation::greater_equal;
  EXPECT_EQ(verdict_of(Kind::universal_inequality, enumerate(problem)), Verdict::certified);
}

TEST(Enumerate, refuses_an_empty_domain) {
  EnumerationProblem problem = binomial_sums(2);
  problem.cases = 0;
  EXPECT_THROW(enumerate(problem), std::invalid_argument);
  problem.cases = 1;
  problem.case_inputs = nullptr;
  EXPECT_THROW(enumerate(problem), std::invalid_argument);
}

}  // namespace
}  // namespace attest::engine
