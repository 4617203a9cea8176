// Section 2.3.1 and Appendix E: batch-normalised attention, its derivation and its expanded form.
#include <cmath>

#include "theorems/engine/claim.hpp"
#include "theorems/engine/protocols/identity.hpp"
#include "theorems/engine/protocols/layout.hpp"
#include "theorems/primal_dual/batch_normalised_keys.hpp"
#include "theorems/primal_dual/batch_normalised_layer.hpp"
#include "theorems/primal_dual/finite_features.hpp"
#include "theorems/primal_dual/two_sides.hpp"

namespace attest::primal_dual {
namespace {

using engine::Inputs;
using rigor::Ball;

constexpr std::size_t samples = 3;
constexpr std::size_t dimension = 2;

std::vector<engine::Block> blocks() {
  return {{"keys", samples * dimension, -2, 2}, {"query", dimension, -2, 2}, {"epsilon", 1, 0.1, 1}};
}

// softmax over given logits.
template <class Real>
std::vector<Real> weights(const std::vector<Real>& logits) {
  using std::exp;
  Real total(0);
  std::vector<Real> out;
  for (const Real& logit : logits) {
    out.push_back(exp(logit));
    total += out.back();
  }
  for (Real& weight : out) weight /= total;
  return out;
}

// Weights of Eq 22 against those of Eq 24 with its mean term times `factor`, over sigma^2 + epsilon times `variance`.
engine::Check expanded(double factor, double variance) {
  // Logits are at most 2 * 16 / 0.1 / sqrt(2) < 230 in size, each a sum of about 20 roundings; weights are at most 1.
  return identity_of(
      engine::Layout(blocks()), 1, 40 * 230 * 0x1p-53, 2000, [factor, variance](const Inputs& inputs, auto zero) {
        using std::sqrt;
        using Real = decltype(zero);
        const Keys<Real> keys(values(inputs, "keys", samples * dimension), dimension);
        const auto query = as<Real>(values(inputs, "query", dimension));
        const KeyStatistics<Real> statistics(keys, Real(inputs.scalar("epsilon")));
        const auto lhs = batch_normalised_softmax<Real>(as<Real>(inputs["keys"]), dimension, 1, query,
                                                        Real(inputs.scalar("epsilon")));
        std::vector<Real> logits;
        for (std::size_t j = 0; j < samples; ++j) {
          Real logit(0);
          for (std::size_t d = 0; d < dimension; ++d) {
            Real mean_product(0);
            for (std::size_t other = 0; other < samples; ++other) mean_product += keys.row(other)[d] * keys.row(j)[d];
            const Real centred =
                query[d] * keys.row(j)[d] - Real(factor) * mean_product / Real(static_cast<double>(samples));
            logit += centred / (sqrt(Real(static_cast<double>(dimension))) * Real(variance) * statistics.variance[d]);
          }
          logits.push_back(logit);
        }
        return engine::Pair<Real>(lhs, weights(logits));
      });
}

}  // namespace

engine::Claims eq_22() {
  engine::Claim svr_form;
  svr_form.statement = {
      .id = "primal-dual/eq-19-21",
      .label = "Eq 19-21",
      .title = "The batch-normalised primal layer has the expansion Eq 21",
      .kind = engine::Kind::identity,
      .tex =
          R"(W\frac{\Phi(\bar x)}{h(\bar x)} + b = \sum_j \frac{\Phi(\bar x)^\top\Phi(\bar k_j)}{h(\bar x)} v_j + b,\quad \bar x = (x-\mu)\odot s^{-1},\quad v_j = \frac{\alpha_j-\tilde\alpha_j}{h(\bar k_j)})",
      .assumptions = {"mu and s are constants of the training keys", "sigma_d^2 + epsilon > 0",
                      "features cut at degree 2, h from the normalised keys"},
      .expected = engine::Verdict::supported,
      .depends_on = {"primal-dual/eq-10"}};
  svr_form.check = batch_normalised_expansion(1, 1, false);
  svr_form.near_misses = {{"v_j raised by 1 percent", 0.01, batch_normalised_expansion(1, 1.01, false)},
                          {"h at the raw keys in v_j", 1, batch_normalised_expansion(1, 1, true)}};

  engine::Claim definition;
  definition.statement = {
      .id = "primal-dual/def-1",
      .label = "Def 1 / Eq 22-23",
      .title = "Batch-normalised attention does not see a common shift and scale of queries and keys",
      .kind = engine::Kind::definition,
      .tex =
          R"(q, k_j \mapsto a\,q + c,\ a\,k_j + c,\ \epsilon \mapsto a^2\epsilon \ \text{ leaves } \mathrm{softmax}_j\big(((q-\mu)\odot s^{-1})^\top((k_j-\mu)\odot s^{-1})/\sqrt D\big) \text{ unchanged})",
      .assumptions = {"epsilon > 0, or no feature is constant over the keys: else s^-1 is not defined"},
      .expected = engine::Verdict::supported,
      .note =
          "What a normalisation is for, and what the definition delivers; with epsilon left as it is the invariance to "
          "scale is only approximate.",
      .depends_on = {"primal-dual/def-1-derivation"}};
  definition.check = batch_normalised_invariance(1, true);
  definition.near_misses = {{"epsilon not scaled", 1, batch_normalised_invariance(1, false)}};

  engine::Claim printed;
  printed.statement = {
      .id = "primal-dual/def-1-derivation",
      .label = "Def 1 / Eq 22-23 (\"we choose h(x) := sum_j Phi(x)'Phi(k_j)\")",
      .title = "Eq 21 with h over the raw keys is the attention of Eq 22",
      .kind = engine::Kind::identity,
      .tex =
          R"(h(x) := \sum_j \Phi(x)^\top\Phi(k_j) \ \Rightarrow\ \frac{\Phi(\bar q)^\top\Phi(\bar k_j)}{h(\bar q)} = \mathrm{softmax}_j(\bar q^\top\bar k_j/\sqrt D))",
      .assumptions = {"h is evaluated at the normalised point, as Eqs 19 and 21 write it"},
      .expected = engine::Verdict::refuted,
      .finding = engine::Finding::slip,
      .note =
          "The sentence above Definition 1 (and again in Appendix I) keeps the h of Section 2.1, whose sum runs over "
          "the raw keys: h at the normalised query is then not the normaliser of Eq 22, and the weights do not sum to "
          "one.",
      .depends_on = {"primal-dual/eq-19-21", "primal-dual/eq-14"}};
  printed.check = batch_normalised_weights(1, true, 1);
  printed.near_hits = {{"h over the normalised keys", 1, batch_normalised_weights(1, false, 1)}};

  engine::Claim amended;
  amended.statement = {
      .id = "primal-dual/def-1-normalised-h",
      .label = "Def 1 / Eq 22-23 (h over the normalised keys)",
      .title = "Eq 21 with h over the normalised keys is the attention of Eq 22",
      .kind = engine::Kind::identity,
      .tex =
          R"(h(x) := \sum_j \Phi(x)^\top\Phi(\bar k_j) \ \Rightarrow\ \frac{\Phi(\bar q)^\top\Phi(\bar k_j)}{h(\bar q)} = \mathrm{softmax}_j(\bar q^\top\bar k_j/\sqrt D))",
      .assumptions = {"b = 0"},
      .expected = engine::Verdict::supported,
      .printed = false,
      .amends = "primal-dual/def-1-derivation"};
  amended.check = batch_normalised_weights(1, false, 1);
  amended.near_misses = {{"h 1 percent too large", 0.01, batch_normalised_weights(1, false, 1.01)}};

  engine::Claim expanded_form;
  expanded_form.statement = {
      .id = "primal-dual/eq-24",
      .label = "Eq 24 / App E",
      .title = "Expanded form of batch-normalised attention",
      .kind = engine::Kind::identity,
      .tex =
          R"(\mathrm{softmax}_j\Big(\tfrac{\bar q^\top\bar k_j}{\sqrt D}\Big) = \mathrm{softmax}_j\Big(\sum_d \frac{q(d)k_j(d) - \frac1N\sum_{j'} k_{j'}(d)k_j(d)}{\sqrt D(\sigma_d^2+\epsilon)}\Big))",
      .assumptions = {"epsilon > 0"},
      .expected = engine::Verdict::supported,
      .note =
          "The terms dropped, mu(d)^2 - q(d) mu(d), do not depend on j. One line of Appendix E prints - mu k_j twice "
          "where - q mu - mu k_j is meant (perhaps a defect of the available text); its next line is right again.",
      .depends_on = {"primal-dual/def-1"}};
  expanded_form.check = expanded(1, 1);
  expanded_form.near_misses = {{"mean term raised by 1 percent", 0.01, expanded(1.01, 1)},
                               {"sigma_d^2 + epsilon raised by 1 percent", 0.01, expanded(1, 1.01)},
                               {"mean term left out", 1, expanded(0, 1)}};
  return {svr_form, definition, printed, amended, expanded_form};
}

}  // namespace attest::primal_dual
