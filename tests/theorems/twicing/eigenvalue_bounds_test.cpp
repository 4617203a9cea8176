#include "theorems/twicing/eigenvalue_bounds.hpp"

#include <gtest/gtest.h>

#include "theorems/engine/verdict_rule.hpp"

namespace attest::twicing {
namespace {

using engine::Kind;
using engine::Verdict;

Verdict verdict_of(const engine::Check& check) {
  engine::Context context;
  context.seed = 5;
  context.stream = 6;
  return engine::judge(Kind::universal_inequality, check.run(context)).verdict;
}

TEST(EigenvalueBounds, hold_where_theory_says_so_and_fail_just_beyond) {
  const AttentionShape shared{.tokens = 3, .features = 2, .shared = true};
  const AttentionShape independent{.tokens = 3, .features = 2};
  EXPECT_EQ(verdict_of(definite(shared, engine::Relation::greater, 1, 0)), Verdict::supported);
  EXPECT_EQ(verdict_of(definite(shared, engine::Relation::greater, 0.999, 0)), Verdict::refuted);
  EXPECT_EQ(verdict_of(contraction(shared, 1)), Verdict::supported);
  EXPECT_EQ(verdict_of(contraction(shared, 0.999)), Verdict::refuted);
  EXPECT_EQ(verdict_of(second_modulus_below(independent, 1)), Verdict::supported);
  EXPECT_EQ(verdict_of(dominance_on_disc(1)), Verdict::supported);
  EXPECT_EQ(verdict_of(dominance_on_disc(1.001)), Verdict::refuted);
}

// For two tokens lambda_2 comes as close to -1 as the box of logits lets it: -tanh(4) = -0.9993.
TEST(EigenvalueBounds, find_the_least_eigenvalue_of_two_tokens) {
  EXPECT_EQ(verdict_of(second_eigenvalue_at_least(-0.9994)), Verdict::supported);
  EXPECT_EQ(verdict_of(second_eigenvalue_at_least(-0.9992)), Verdict::refuted);
  EXPECT_EQ(verdict_of(real_spectrum()), Verdict::refuted);
}

TEST(EigenvalueBounds, are_reproduced_by_their_witness) {
  engine::Context context;
  context.seed = 5;
  const engine::Check check = second_eigenvalue_at_least(0);
  const auto witness = engine::witness_of(check.run(context));
  ASSERT_TRUE(witness);
  const engine::Replay replay = check.replay(*witness, context);
  EXPECT_TRUE(replay.confirmed);
  EXPECT_TRUE(replay.assumptions_hold);
}

}  // namespace
}  // namespace attest::twicing
