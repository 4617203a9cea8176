#include <string>

#include <gtest/gtest.h>

#include "theorems/engine/registry.hpp"
#include "theorems/engine/runner/runner.hpp"
#include "theorems/engine/verdict_rule.hpp"

namespace attest::engine {
namespace {

Context context_of(const Claim& claim) { return make_context(claim, "printed", 5, 1, 1e-9); }

const Claim& claim(const std::string& id) { return find_claim("boosting/" + id); }

// Not the seed of any recorded run: the verdicts must not hang on one.
TEST(SnrBoosting, its_refutations_replay_alone_from_their_stored_inputs) {
  int replayed = 0;
  for (const Claim* c : select(all_claims(), {.family = "snr_boosting"})) {
    if (c->statement.expected != Verdict::refuted) continue;
    const Evidence evidence = c->check.run(context_of(*c));
    ASSERT_EQ(judge(c->statement.kind, evidence).verdict, Verdict::refuted) << c->statement.id;
    const auto witness = witness_of(evidence);
    if (!witness) continue;  // An existence claim falls with its whole domain.
    ++replayed;
    const Replay replay = c->check.replay(*witness, context_of(*c));
    EXPECT_TRUE(replay.assumptions_hold && replay.confirmed) << c->statement.id;
    EXPECT_GE(replay.precision_bits, 100) << c->statement.id;
  }
  EXPECT_GE(replayed, 9);
}

// alpha = 1/2, cos(u, u_hat) = 3/5, gamma = 2/5 with aligned noise: gain sqrt(185) / 14 < 1, found by hand.
TEST(SnrBoosting, confirms_the_counterexample_to_the_snr_gain_found_by_hand) {
  const Claim& c = claim("residual-raises-snr");
  Witness witness;
  witness.relation = Relation::greater;
  witness.inputs = {{"n", {2}},       {"u", {10, 0}},      {"u_hat", {3, 4}},
                    {"eta", {10, 0}}, {"eta_hat", {4, 0}}, {"beta", {0.5}}};
  EXPECT_TRUE(c.check.replay(witness, context_of(c)).confirmed);
  // The same signal with less noise left: 13.6 > 12.5, a gain.
  witness.inputs = {{"n", {2}},       {"u", {10, 0}},        {"u_hat", {3, 4}},
                    {"eta", {10, 0}}, {"eta_hat", {2.5, 0}}, {"beta", {0.5}}};
  const Replay gain = c.check.replay(witness, context_of(c));
  EXPECT_TRUE(gain.assumptions_hold);
  EXPECT_FALSE(gain.confirmed);
  // Outside the hypothesis nothing counts: gamma = 0.6 is above beta.
  witness.inputs = {{"n", {2}},       {"u", {10, 0}},      {"u_hat", {3, 4}},
                    {"eta", {10, 0}}, {"eta_hat", {6, 0}}, {"beta", {0.5}}};
  EXPECT_FALSE(c.check.replay(witness, context_of(c)).confirmed);
}

}  // namespace
}  // namespace attest::engine
