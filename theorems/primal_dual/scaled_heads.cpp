// Section 2.3.2: attention with scaled heads (Definition 2) and the pooling that gives each head its training set
// (Remark 5).
#include <cmath>

#include "theorems/engine/protocols/composite.hpp"
#include "theorems/primal_dual/heads.hpp"
#include "theorems/primal_dual/pooling.hpp"
#include "theorems/primal_dual/prescribed_values.hpp"
#include "theorems/primal_dual/several_heads.hpp"
#include "theorems/primal_dual/two_sides.hpp"

namespace attest::primal_dual {
namespace {

using engine::Inputs;
using rigor::Ball;

constexpr std::size_t dimension = 2;

template <class Real>
using Vector = std::vector<Real>;

double larger(double a, double b) { return std::max(a, b); }
Ball larger(const Ball& a, const Ball& b) { return rigor::max(a, b); }

enum class Pooling { average, weighted, maximum };

// Rows pooled in pairs.
template <class Real>
Vector<Real> pooled(const Vector<Real>& rows, Pooling pooling) {
  const double first = pooling == Pooling::weighted ? 1.01 : 1;
  auto out = average_pooled<Real>(rows, dimension, 2, first);
  if (pooling != Pooling::maximum) return out;
  for (std::size_t g = 0; 2 * g + 1 < rows.size() / dimension; ++g) {
    for (std::size_t d = 0; d < dimension; ++d)
      out[g * dimension + d] = larger(rows[2 * g * dimension + d], rows[(2 * g + 1) * dimension + d]);
  }
  return out;
}

// Rows x -> W x + c.
template <class Real>
Vector<Real> affine(const Vector<Real>& rows, const Vector<Real>& w, const Vector<Real>& c) {
  Vector<Real> out = projected_rows(Keys<Real>(rows, dimension), w);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] += c[i % dimension];
  return out;
}

// Keys (or values) of pooled tokens against pooled keys (or values), for five tokens in pairs, the last alone.
engine::Check pooling_commutes(Pooling pooling) {
  constexpr std::size_t tokens = 5;
  const engine::Layout layout(
      {{"tokens", tokens * dimension, -2, 2}, {"W", dimension * dimension, -1, 1}, {"c", dimension, -1, 1}});
  return identity_of(layout, 5, 16 * 0x1p-53, 600, [pooling](const Inputs& inputs, auto zero) {
    using Real = decltype(zero);
    const auto x = as<Real>(values(inputs, "tokens", tokens * dimension));
    const auto w = as<Real>(values(inputs, "W", dimension * dimension));
    const auto c = as<Real>(values(inputs, "c", dimension));
    return engine::Pair<Real>(affine(pooled(x, pooling), w, c), pooled(affine(x, w, c), Pooling::average));
  });
}

// One head of Definition 2: softmax over the means of successive pairs of keys, for the means of their values.
template <class Real>
Vector<Real> scaled_head(const Vector<Real>& query, const Vector<Real>& keys, const Vector<Real>& v) {
  if constexpr (std::is_same_v<Real, double>) {
    return mechanisms::output("attention-sh",
                              {mechanisms::rows("q", query, dimension), mechanisms::rows("k", keys, dimension),
                               mechanisms::rows("v", v, dimension)},
                              {.options = {{"factors", "2"}}});
  } else {
    return Keys<Real>(pooled(keys, Pooling::average), dimension).attend_rows(query, pooled(v, Pooling::average));
  }
}

// A scaled head of projected tokens against attention on the projections of pooled tokens.
engine::Check head_of_pooled_tokens(Pooling pooling) {
  constexpr std::size_t tokens = 5;
  const engine::Layout layout({{"tokens", tokens * dimension, -2, 2},
                               {"W", dimension * dimension, -1, 1},
                               {"c", dimension, -1, 1},
                               {"query", dimension, -2, 2}});
  // Keys are at most 5 in size, logits 20 / sqrt(2) with about 20 roundings each, on either side.
  return identity_of(layout, 2, 2 * 20 * 15 * 0x1p-53, 600, [pooling](const Inputs& inputs, auto zero) {
    using Real = decltype(zero);
    const auto x = as<Real>(values(inputs, "tokens", tokens * dimension));
    const auto w = as<Real>(values(inputs, "W", dimension * dimension));
    const auto c = as<Real>(values(inputs, "c", dimension));
    const auto query = as<Real>(values(inputs, "query", dimension));
    const Keys<Real> keys(affine(pooled(x, pooling), w, c), dimension);
    return engine::Pair<Real>(scaled_head(query, affine(x, w, c), x), keys.attend_rows(query, pooled(x, pooling)));
  });
}

engine::Check pooled_head(Pooling pooling) {
  return engine::composite({{"keys and values", engine::Kind::identity, pooling_commutes(pooling)},
                            {"the head's output", engine::Kind::identity, head_of_pooled_tokens(pooling)}});
}

constexpr std::size_t keys_count = 4;

engine::Layout keys_and_query() {
  return engine::Layout({{"keys", keys_count * dimension, -2, 2}, {"query", dimension, -2, 2}});
}

// (similarity to a pooled key)^2 / exponent against the product of the similarities to its two members.
engine::Check geometric_mean(double exponent) {
  // Similarities lie between exp(-5.7) and exp(5.7), their logarithms are sums of about 8 roundings of 5.7.
  return identity_of(keys_and_query(), 0, 128 * 0x1p-53, 600, [exponent](const Inputs& inputs, auto zero) {
    using std::exp;
    using std::log;
    using Real = decltype(zero);
    const Keys<Real> keys(values(inputs, "keys", keys_count * dimension), dimension);
    const auto rows = as<Real>(values(inputs, "keys", keys_count * dimension));
    const Keys<Real> means(average_pooled<Real>(rows, dimension, 2), dimension);
    const auto query = as<Real>(values(inputs, "query", dimension));
    Vector<Real> lhs;
    Vector<Real> rhs;
    for (std::size_t g = 0; g < means.size(); ++g) {
      const Real similarity = means.similarity(query, g);
      lhs.push_back(exp(Real(2 * exponent) * log(similarity)));
      rhs.push_back(keys.similarity(query, 2 * g) * keys.similarity(query, 2 * g + 1));
    }
    return engine::Pair<Real>(lhs, rhs);
  });
}

// factor * 2 h^s(x) <= h(x) for four keys pooled in pairs.
engine::Check smaller_normaliser(double factor) {
  const engine::Layout box = keys_and_query();
  const auto sides = [factor](const Inputs& inputs, auto zero) {
    using Real = decltype(zero);
    const Keys<Real> keys(values(inputs, "keys", keys_count * dimension), dimension);
    const auto rows = as<Real>(values(inputs, "keys", keys_count * dimension));
    const Keys<Real> means(average_pooled<Real>(rows, dimension, 2), dimension);
    const auto query = as<Real>(values(inputs, "query", dimension));
    return engine::Pair<Real>{{Real(2 * factor) * means.normaliser(query)}, {keys.normaliser(query)}};
  };
  return engine::generic_inequality(
      box, engine::Relation::less_equal, sides,
      {.evaluations = 1500, .corners = {box.point(Inputs{{"keys", {1, 1, 1, 1, -1, 0, -1, 0}}, {"query", {1, 1}}})}});
}

}  // namespace

engine::Claims scaled_heads() {
  engine::Claim definition;
  definition.statement = {
      .id = "primal-dual/def-2",
      .label = "Def 2 / Eq 25",
      .title = "Attention with scaled heads is Eq 18 with N_s keys in head s",
      .kind = engine::Kind::definition,
      .tex =
          R"(h_i = \sum_s W_O^s\sum_{j=1}^{N_s}\mathrm{softmax}_j(q_i^{s\top}k_j^s/\sqrt D)\,v_j^s = \sum_s W_O^s f^s(q_i^s),\quad f^s \text{ on } N_s \text{ points})",
      .assumptions = {"N_s >= 1", "judged for two heads with four and two keys"},
      .expected = engine::Verdict::supported,
      .note =
          "What the definition is used for: it is the support vector expansion of Eq 17 on training sets of "
          "different sizes, and for equal sizes it is multi-head attention.",
      .depends_on = {"primal-dual/eq-17-18"}};
  definition.check = one_regression_a_head({4, 2});
  definition.near_misses = {
      {"values one percent larger", 0.01, one_regression_a_head({4, 2}, {.value = 1.01})},
      {"blocks of W_O in the other order", 1, one_regression_a_head({4, 2}, {.blocks_swapped = true})}};

  engine::Claim pooling;
  pooling.statement = {
      .id = "primal-dual/remark-5",
      .label = "Remark 5 (pooling; \"less training data\")",
      .title = "Keys and values of pooled tokens are the pooled keys and values",
      .kind = engine::Kind::identity,
      .tex = R"(W\,\mathrm{pool}(X)_g + c = \mathrm{pool}\big((Wx_j + c)_j\big)_g,\qquad N_s = \lceil N/s\rceil)",
      .assumptions = {"average pooling, as the paper uses", "affine projections",
                      "a last group with fewer tokens is averaged over its own count"},
      .expected = engine::Verdict::supported,
      .note =
          "So it does not matter whether X is downsampled before or after the projection; with max-pooling, which "
          "the remark also mentions, it does. 'Less training data' is right in number, N_s points instead of N, "
          "but they are averages and not a part of the data: see the next two statements.",
      .depends_on = {"primal-dual/def-2"}};
  pooling.check = pooled_head(Pooling::average);
  pooling.near_misses = {
      {"the first token of each group counts one percent more", 0.01, pooled_head(Pooling::weighted)},
      {"max-pooling of the tokens", 1, pooled_head(Pooling::maximum)}};

  engine::Claim mean;
  mean.statement = {
      .id = "primal-dual/remark-5-geometric-mean",
      .label = "Remark 5 (what a pooled key sees)",
      .title = "The similarity to a pooled key is the geometric mean of the similarities to its members",
      .kind = engine::Kind::identity,
      .tex =
          R"(e^{x^\top\bar k_g/\sqrt D} = \Big(\prod_{j\in g}e^{x^\top k_j/\sqrt D}\Big)^{1/|g|},\qquad \bar k_g = \frac1{|g|}\sum_{j\in g}k_j)",
      .assumptions = {"judged for pairs"},
      .expected = engine::Verdict::supported,
      .printed = false,
      .amends = "primal-dual/remark-5"};
  mean.check = geometric_mean(1);
  mean.near_misses = {{"exponent one percent larger", 0.01, geometric_mean(1.01)}};

  engine::Claim bound;
  bound.statement = {
      .id = "primal-dual/remark-5-normaliser",
      .label = "Remark 5 (what pooling loses)",
      .title = "s times the pooled normaliser is at most the full one, with equality for equal logits in each group",
      .kind = engine::Kind::universal_inequality,
      .tex = R"(s\sum_{g}e^{x^\top\bar k_g/\sqrt D} \le \sum_{j=1}^N e^{x^\top k_j/\sqrt D})",
      .assumptions = {"N a multiple of s; judged for N = 4, s = 2"},
      .expected = engine::Verdict::supported,
      .printed = false,
      .amends = "primal-dual/remark-5",
      .note =
          "The means' inequality, group by group: one key of a group that matches the query sharply is damped by "
          "its neighbours, so a pooled head attends less sharply than the full one.",
      .depends_on = {"primal-dual/remark-5-geometric-mean"}};
  bound.check = smaller_normaliser(1);
  bound.near_misses = {{"one part in a thousand more", 1e-3, smaller_normaliser(1.001)}};
  return {definition, pooling, mean, bound};
}

}  // namespace attest::primal_dual
