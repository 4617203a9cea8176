// Appendix I: batch-normalised attention with scaled heads, Eqs 46 to 51. Its regressions, one per head, are those of
// Section 2.3.1 on pooled keys; the sum over heads is that of Definition 2.
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/primal_dual/batch_normalised_keys.hpp"
#include "theorems/primal_dual/batch_normalised_layer.hpp"
#include "theorems/primal_dual/finite_features.hpp"
#include "theorems/primal_dual/pooling.hpp"
#include "theorems/primal_dual/prescribed_values.hpp"
#include "theorems/primal_dual/recentred_attention.hpp"
#include "theorems/primal_dual/two_sides.hpp"

namespace attest::primal_dual {
namespace {

using engine::Inputs;

constexpr std::size_t pairs = 2;  // the pooling factor of the head

// Mean and variance of `tokens` keys pooled in pairs, against the mean of all keys and their variance less `within`
// times the variance within the pairs.
engine::Check pooled_statistics(std::size_t tokens, double within) {
  const engine::Layout layout({{"keys", tokens, -2, 2}});
  return identity_of(layout, 4, 64 * 0x1p-53, 600, [tokens, within](const Inputs& inputs, auto zero) {
    using Real = decltype(zero);
    const auto rows = as<Real>(values(inputs, "keys", tokens));
    const auto means = average_pooled<Real>(rows, 1, pairs);
    const KeyStatistics<Real> all(Keys<Real>(rows, 1), Real(0));
    const KeyStatistics<Real> pooled(Keys<Real>(means, 1), Real(0));
    Real inside(0);
    for (std::size_t j = 0; j < tokens; ++j) {
      const Real deviation = rows[j] - means[j / pairs];
      inside += deviation * deviation / Real(static_cast<double>(tokens));
    }
    return engine::Pair<Real>({pooled.mean[0], pooled.variance[0]},
                              {all.mean[0], all.variance[0] - Real(within) * inside});
  });
}

// Mean of the keys of a head, projected from tokens pooled by 1, 2, 3 and 6, against W_K times the mean token, the
// latter `length` times as long.
engine::Check centres_of_heads(double length) {
  constexpr std::size_t tokens = 6;
  constexpr std::size_t width = 2;
  const engine::Layout layout({{"X", tokens * width, -2, 2}, {"W_K", width * width, -2, 2}});
  // Means of six numbers of size 2 times two products of size 4.
  return identity_of(layout, 8, 32 * 0x1p-53, 400, [length](const Inputs& inputs, auto zero) {
    using Real = decltype(zero);
    const auto rows = as<Real>(values(inputs, "X", tokens * width));
    const auto w_k = as<Real>(values(inputs, "W_K", width * width));
    std::vector<Real> mean(width, Real(0));
    for (std::size_t i = 0; i < rows.size(); ++i) mean[i % width] += rows[i] / Real(static_cast<double>(tokens));
    for (Real& entry : mean) entry *= Real(length);
    const auto centre = projected(w_k, std::span<const Real>(mean));
    engine::Pair<Real> sides;
    for (const std::size_t factor : {1, 2, 3, 6}) {
      const Keys<Real> pooled(average_pooled<Real>(rows, width, factor), width);
      const KeyStatistics<Real> head(Keys<Real>(projected_rows(pooled, w_k), width), Real(0));
      sides.lhs.insert(sides.lhs.end(), head.mean.begin(), head.mean.end());
      sides.rhs.insert(sides.rhs.end(), centre.begin(), centre.end());
    }
    return sides;
  });
}

engine::Check printed_derivation(bool raw_keys, double height, double value = 1) {
  return engine::composite(
      {{"Eq 46 is Eq 48", engine::Kind::identity, batch_normalised_expansion(pairs, value, false)},
       {"Eq 48 with this h is Eq 49", engine::Kind::identity, batch_normalised_weights(pairs, raw_keys, height)}});
}

engine::Check well_defined(double value, bool with_epsilon) {
  return engine::composite(
      {{"each head is an expansion", engine::Kind::identity, batch_normalised_expansion(pairs, value, false)},
       {"common shift and scale", engine::Kind::identity, batch_normalised_invariance(pairs, with_epsilon)}});
}

engine::Claims expansion() {
  engine::Claim printed;
  printed.statement = {
      .id = "primal-dual/eq-46-48",
      .label = "Eq 46-48",
      .title = "The expansion Eq 48 with h^s over the keys is the attention of Definition 5",
      .kind = engine::Kind::identity,
      .tex =
          R"(h^s(x) := \sum_{j}^{N_s}\Phi(x)^\top\Phi(k_j^s)\ \Rightarrow\ \frac{\Phi(\bar q)^\top\Phi(\bar k_j^s)}{h^s(\bar q)} = \mathrm{softmax}_j(\bar q^\top\bar k_j^s/\sqrt D),\quad \bar x = (x-\mu^s)\odot (s^s)^{-1})",
      .assumptions = {"h^s is evaluated at the normalised point, as Eqs 46 and 48 write it",
                      "two tokens to a pooled key, three pooled keys"},
      .expected = engine::Verdict::refuted,
      .finding = engine::Finding::slip,
      .note =
          "Eq 48 itself follows from Eq 46 for any h. As above Definition 1, the sum in h^s runs over raw keys, where "
          "Eq 49 needs the normalised ones. The values v_j^s are also said to run to N; they run to N_s.",
      .depends_on = {"primal-dual/def-1-derivation", "primal-dual/eq-17-18", "primal-dual/eq-19-21"}};
  printed.check = printed_derivation(true, 1);
  printed.near_misses = {{"values one percent larger", 0.01, printed_derivation(false, 1, 1.01)}};
  printed.near_hits = {{"h over the normalised keys", 1, printed_derivation(false, 1)}};

  engine::Claim amended;
  amended.statement = {
      .id = "primal-dual/eq-46-48-normalised-h",
      .label = "Eq 46-48 (h over the normalised keys)",
      .title = "The expansion Eq 48 with h^s over the normalised keys is the attention of Definition 5",
      .kind = engine::Kind::identity,
      .tex =
          R"(h^s(x) := \sum_{j}^{N_s}\Phi(x)^\top\Phi(\bar k_j^s)\ \Rightarrow\ \frac{\Phi(\bar q)^\top\Phi(\bar k_j^s)}{h^s(\bar q)} = \mathrm{softmax}_j(\bar q^\top\bar k_j^s/\sqrt D))",
      .assumptions = {"b^s = 0"},
      .expected = engine::Verdict::supported,
      .printed = false,
      .amends = "primal-dual/eq-46-48"};
  amended.check = printed_derivation(false, 1);
  amended.near_misses = {{"h one percent too large", 0.01, printed_derivation(false, 1.01)},
                         {"values one percent larger", 0.01, printed_derivation(false, 1, 1.01)}};
  return {printed, amended};
}

engine::Claims statistics() {
  engine::Claim claim;
  claim.statement = {
      .id = "primal-dual/eq-47-50",
      .label = "Eq 47 / Eq 50 (statistics of pooled keys)",
      .title = "The pooled keys have the mean of all keys, and their variance less that within the groups",
      .kind = engine::Kind::identity,
      .tex =
          R"(\mu^s = \mu,\qquad (\sigma_d^s)^2 = \sigma_d^2 - \frac1N\sum_{g}\sum_{j\in g}\big(k_j(d)-k_g^s(d)\big)^2)",
      .assumptions = {"groups of equal size: N a multiple of the factor", "judged for four keys in pairs, D = 1"},
      .expected = engine::Verdict::supported,
      .note =
          "The definition is sound; this is what it means for the keys of one head: pooling leaves their centre and "
          "takes from their variance. Each head has keys of its own and with them its own centre: see the next "
          "statement. With a remainder averaged over its own count neither identity holds: see the near-miss with "
          "five keys."};
  claim.check = pooled_statistics(4, 1);
  claim.near_misses = {{"one percent less of the variance within", 0.01, pooled_statistics(4, 0.99)},
                       {"five keys, the last alone in its group", 1, pooled_statistics(5, 1)},
                       {"variance of all keys", 1, pooled_statistics(4, 0)}};

  engine::Claim centre;
  centre.statement = {
      .id = "primal-dual/eq-47-50-centres",
      .label = "Eq 47 / Eq 50 (each head's centre)",
      .title = "The centre of head s is W_K^s times the mean token, for every pooling factor that divides N",
      .kind = engine::Kind::identity,
      .tex = R"(\mu^s = W_K^s\,\bar x,\qquad \bar x = \frac1N\sum_j x_j)",
      .assumptions = {"keys by projecting pooled tokens, as Remark 5 makes them", "N a multiple of the factor",
                      "judged for six tokens in the plane, D = 2, factors 1, 2, 3 and 6"},
      .expected = engine::Verdict::supported,
      .printed = false,
      .amends = "primal-dual/eq-47-50",
      .note =
          "Two heads have centres W_K^1 x and W_K^2 x, which differ with their matrices: what the heads share is the "
          "mean token and not the centre."};
  centre.check = centres_of_heads(1);
  centre.near_misses = {{"mean token longer by a thousandth", 1e-3, centres_of_heads(1.001)}};
  return {claim, centre};
}

engine::Claims definition() {
  engine::Claim printed;
  printed.statement = {
      .id = "primal-dual/def-5",
      .label = "Def 5 / Eq 49-51",
      .title = "Each head of Definition 5 is an expansion on its pooled keys and sees no common shift and scale",
      .kind = engine::Kind::definition,
      .tex =
          R"(h_i = \sum_s W_O^s\sum_{j=1}^{N_s}\mathrm{softmax}_j\big(((q_i^s-\mu^s)\odot (s^s)^{-1})^\top((k_j^s-\mu^s)\odot (s^s)^{-1})/\sqrt D\big)v_j^s)",
      .assumptions = {"epsilon > 0: a head pooled to one key has sigma = 0", "statistics over the pooled keys",
                      "the scale carries epsilon with it"},
      .expected = engine::Verdict::supported,
      .note = "Eq 49. Its simplified form, Eq 51, is judged next. The sum over heads is Definition 2's.",
      .depends_on = {"primal-dual/def-2", "primal-dual/eq-46-48-normalised-h", "primal-dual/eq-46-48"}};
  printed.check = well_defined(1, true);
  printed.near_misses = {{"values one percent larger", 0.01, well_defined(1.01, true)},
                         {"epsilon not scaled", 1, well_defined(1, false)}};

  engine::Claim whitened;
  whitened.statement = {
      .id = "primal-dual/eq-51",
      .label = "Def 5 / Eq 49-51 (\"Hence Eqn. 49 is simplified to\" Eq 51)",
      .title = "Eq 49 is Eq 51 with beta = 1 on queries and keys divided by the pooled keys' standard deviations",
      .kind = engine::Kind::identity,
      .tex =
          R"(\mathrm{softmax}_j\big(\bar q^\top\bar k_j^s/\sqrt D\big) = \mathrm{softmax}_j\big((\hat q-\hat\mu^s)^\top(\hat k_j^s-\hat\mu^s)/\sqrt D\big),\quad \hat x = x\odot (s^s)^{-1})",
      .assumptions = {"epsilon > 0", "'simplified' read as for Eq 26: the scales are left out, and beta is put in"},
      .expected = engine::Verdict::supported,
      .depends_on = {"primal-dual/eq-26", "primal-dual/def-5"}};
  whitened.check = simplified_weights(pairs, 1, true);
  whitened.near_misses = {{"beta = 1.01", 0.01, simplified_weights(pairs, 1.01, true)},
                          {"scales left out on one side", 1, simplified_weights(pairs, 1, false)}};

  engine::Claim queries;
  queries.statement = {
      .id = "primal-dual/eq-51-queries-alone",
      .label = "Def 5 / Eq 49-51 (queries alone)",
      .title = "In Eq 51 too, recentring the keys drops out",
      .kind = engine::Kind::identity,
      .tex =
          R"(\mathrm{softmax}_j\big((q-\beta\mu^s)^\top(k_j^s-\beta\mu^s)/\sqrt D\big) = \mathrm{softmax}_j\big((q-\beta\mu^s)^\top k_j^s/\sqrt D\big))",
      .assumptions = {"any beta; judged for beta in [0, 1.5]"},
      .expected = engine::Verdict::supported,
      .printed = false,
      .amends = "primal-dual/eq-51",
      .note = "As for Eq 26: of both recentrings the query's alone is seen, head by head."};
  queries.check = keys_need_no_recentring(pairs, 1);
  queries.near_misses = {{"queries recentred by one percent more", 0.01, keys_need_no_recentring(pairs, 1.01)}};
  return {printed, whitened, queries};
}

}  // namespace

engine::Claims eq_46_to_51() {
  engine::Claims claims = expansion();
  engine::append(claims, statistics());
  engine::append(claims, definition());
  return claims;
}

}  // namespace attest::primal_dual
