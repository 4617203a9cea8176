#include "theorems/engine/protocols/certification.hpp"

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

}  // namespace
}  // namespace attest::engine
