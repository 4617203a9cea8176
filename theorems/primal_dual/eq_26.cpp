// Section 3 and Appendix A: batch-normalised attention reduced to recentring, Eq 26.
#include "theorems/engine/protocols/awaiting.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/primal_dual/recentred_attention.hpp"

namespace attest::primal_dual {
namespace {

engine::Check sufficient(double ratio) {
  return engine::composite(
      {{"what recentring changes", engine::Kind::identity, keys_need_no_recentring(1, ratio)},
       {"accuracy", engine::Kind::figure,
        engine::awaits(
            "paired training runs of softmax attention, of Eq 22 and of Eq 26 from common seeds, at least five",
            "whether it is sufficient for accuracy takes trained models")}});
}

}  // namespace

engine::Claims eq_26() {
  engine::Claim recentring;
  recentring.statement = {
      .id = "primal-dual/recentring",
      .label = "Sec 3 / App A / App I (\"recentering queries and keys alone is sufficient\")",
      .title = "Recentring queries and keys, without dividing by s, keeps the gain in accuracy",
      .kind = engine::Kind::figure,
      .tex = R"(\mathrm{softmax}_j\big((q-\beta\mu)^\top(k_j-\beta\mu)/\sqrt D\big)\ \text{ is as accurate as Eq 22})",
      .assumptions =
          {"accuracy of trained models, as Tables 1, 2 and 9 report it for Eq 26; of Eq 22 no table reports any"},
      .expected = engine::Verdict::undecided,
      .note =
          "What arithmetic reaches: recentring the keys changes nothing (next statement), so 'recentring queries "
          "alone' is the same mechanism. Whether it suffices is a matter of training runs."};
  recentring.check = sufficient(1);
  recentring.near_misses = {{"queries recentred by one percent more", 0.01, sufficient(1.01)}};

  engine::Claim keys;
  keys.statement = {
      .id = "primal-dual/recentring-queries-alone",
      .label = "Sec 3 / App A / App I (queries alone)",
      .title = "Recentring the keys drops out: only the query's shift is seen",
      .kind = engine::Kind::identity,
      .tex =
          R"(\mathrm{softmax}_j\big((q-\beta\mu)^\top(k_j-\beta\mu)/\sqrt D\big) = \mathrm{softmax}_j\big((q-\beta\mu)^\top k_j/\sqrt D\big))",
      .assumptions = {"any beta; judged for beta in [0, 1.5]", "the same mu for every key that is attended to"},
      .expected = engine::Verdict::supported,
      .printed = false,
      .amends = "primal-dual/recentring",
      .note =
          "A term that does not depend on j leaves the softmax. What is left is plain attention with the bias "
          "- beta mu'k_j / sqrt(D) on key j, one number a key: no recentred copies need to be stored."};
  keys.check = keys_need_no_recentring(1, 1);
  keys.near_misses = {{"queries recentred by one percent more", 0.01, keys_need_no_recentring(1, 1.01)},
                      {"a thousandth more", 1e-3, keys_need_no_recentring(1, 1.001)}};

  engine::Claim printed;
  printed.statement = {
      .id = "primal-dual/eq-26",
      .label = "Eq 26",
      .title = "Eq 22 is Eq 26 with beta = 1 on queries and keys divided by the keys' standard deviations",
      .kind = engine::Kind::identity,
      .tex =
          R"(\mathrm{softmax}_j\big(((q-\mu)\odot s^{-1})^\top((k_j-\mu)\odot s^{-1})/\sqrt D\big) = \mathrm{softmax}_j\big((\hat q-\hat\mu)^\top(\hat k_j-\hat\mu)/\sqrt D\big),\quad \hat x = x\odot s^{-1})",
      .assumptions =
          {"epsilon > 0",
           "\"Hence Eqn 22 is simplified to\" read as a change of the mechanism: s is left out, beta put in"},
      .expected = engine::Verdict::supported,
      .note =
          "What is left out is the division by s, and no more. That Eq 26 equals Eq 22 nobody asserts, and it does "
          "not: "
          "see the near-miss without the scales. The tables for Attention-BN report Eq 26.",
      .depends_on = {"primal-dual/recentring", "primal-dual/def-1"}};
  printed.check = simplified_weights(1, 1, true);
  printed.near_misses = {{"beta = 1.01", 0.01, simplified_weights(1, 1.01, true)},
                         {"scales left out", 1, simplified_weights(1, 1, false)}};

  engine::Claim invariance;
  invariance.statement = {
      .id = "primal-dual/eq-26-shift",
      .label = "Eq 26 (common shift)",
      .title = "With beta = 1 recentred attention does not see a common shift",
      .kind = engine::Kind::identity,
      .tex =
          R"(q, k_j \mapsto q + c,\ k_j + c\ \text{ leaves } \mathrm{softmax}_j\big((q-\mu)^\top(k_j-\mu)/\sqrt D\big) \text{ unchanged})",
      .assumptions = {"beta = 1"},
      .expected = engine::Verdict::supported,
      .printed = false,
      .amends = "primal-dual/eq-26",
      .note = "For other beta a shift is seen: see the near-misses."};
  invariance.check = shift_invariance(1, 1);
  invariance.near_misses = {{"beta = 1.01", 0.01, shift_invariance(1, 1.01)},
                            {"beta = 0.999", 1e-3, shift_invariance(1, 0.999)}};
  return {recentring, keys, printed, invariance};
}

}  // namespace attest::primal_dual
