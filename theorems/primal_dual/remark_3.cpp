// Remark 3 and Appendix F: residual connection and the projections W_Q, W_K, W_V.
#include <cmath>

#include "theorems/engine/claim.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/identity.hpp"
#include "theorems/engine/protocols/layout.hpp"
#include "theorems/primal_dual/finite_features.hpp"
#include "theorems/primal_dual/prescribed_values.hpp"
#include "theorems/primal_dual/two_sides.hpp"

namespace attest::primal_dual {
namespace {

using engine::Inputs;
using rigor::Ball;

constexpr std::size_t tokens = 3;
constexpr std::size_t dimension = 2;  // D = D_v = D_x

template <class Real>
using Vector = std::vector<Real>;

template <class Real>
Vector<Real> matrix(const Inputs& inputs, const char* name) {
  return as<Real>(values(inputs, name, dimension * dimension));
}

engine::Layout projections_layout(bool near) {
  std::vector<engine::Block> blocks{{"tokens", tokens * dimension, -1, 1}, {"W_K", dimension * dimension, -0.7, 0.7}};
  if (near) blocks.push_back({"a", dimension, -0.7, 0.7});
  if (!near) blocks.push_back({"W_Q", dimension * dimension, -0.7, 0.7});
  return engine::Layout(blocks);
}

// W^proj x_i must equal both W_Q x_i (x_i as the test token) and W_K x_i (the same token as a training token).
// `near`: W_Q = W_K + a z' with z orthogonal to x_1, which agrees with W_K on that token.
engine::Check one_projection(bool near) {
  return identity_of(projections_layout(near), 1, 32 * 0x1p-53, 500, [near](const Inputs& inputs, auto zero) {
    using Real = decltype(zero);
    const Keys<Real> x(values(inputs, "tokens", tokens * dimension), dimension);
    const auto w_k = matrix<Real>(inputs, "W_K");
    Vector<Real> w_q = near ? w_k : matrix<Real>(inputs, "W_Q");
    if (near) {
      const auto a = as<Real>(values(inputs, "a", dimension));
      for (std::size_t r = 0; r < dimension; ++r) {
        w_q[r * dimension] -= a[r] * x.row(0)[1];
        w_q[r * dimension + 1] += a[r] * x.row(0)[0];
      }
    }
    return engine::Pair<Real>{projected(w_q, x.row(0)), projected(w_k, x.row(0))};
  });
}

// Eq 36 on training tokens: logits (W^proj x_i)'(W^proj x_j) are symmetric in i and j; are those of attention?
engine::Check symmetric_logits() {
  return identity_of(projections_layout(false), 4, 64 * 0x1p-53, 500, [](const Inputs& inputs, auto zero) {
    using Real = decltype(zero);
    const Keys<Real> x(values(inputs, "tokens", tokens * dimension), dimension);
    const auto w_q = matrix<Real>(inputs, "W_Q");
    const auto w_k = matrix<Real>(inputs, "W_K");
    const auto logit = [&](std::size_t i, std::size_t j) {
      return inner_product(projected(w_q, x.row(i)), projected(w_k, x.row(j)));
    };
    return engine::Pair<Real>{{logit(0, 1)}, {logit(1, 0)}};
  });
}

enum class Query { printed, one_percent_longer, without_residual };

// x_i + sum_j softmax(q_i'k_j / sqrt(D)) W_V x_j against x_i + W Psi(W_Q x_i), W = sum_j (h(k_j) W_V x_j) Psi(W_K
// x_j)'.
engine::Check full_attention(Query query) {
  const engine::Layout layout({{"tokens", tokens * dimension, -1, 1},
                               {"W_Q", dimension * dimension, -0.7, 0.7},
                               {"W_K", dimension * dimension, -0.7, 0.7},
                               {"W_V", dimension * dimension, -0.7, 0.7}});
  // |W_V x| <= 1.4 and weights of sum 1, beside |x| <= 1; about 20 N roundings a weight.
  return identity_of(layout, 2.4, 64 * tokens * 0x1p-53, 1500, [query](const Inputs& inputs, auto zero) {
    using Real = decltype(zero);
    const Keys<Real> x(values(inputs, "tokens", tokens * dimension), dimension);
    const Keys<Real> keys(projected_rows(x, matrix<Real>(inputs, "W_K")), dimension);
    const auto q = projected(matrix<Real>(inputs, "W_Q"), x.row(0));
    Vector<Real> at = q;
    if (query == Query::one_percent_longer) {
      for (Real& entry : at) entry *= Real(1.01);
    }
    const auto h = keys.normalisers();
    const auto kernel = keys.kernel_row(std::span<const Real>(at));
    Vector<Real> lhs;
    Vector<Real> rhs;
    for (std::size_t d = 0; d < dimension; ++d) {
      Vector<Real> v;
      Real expansion(0);
      for (std::size_t j = 0; j < tokens; ++j) {
        v.push_back(projected(matrix<Real>(inputs, "W_V"), x.row(j))[d]);
        expansion += h[j] * v[j] * kernel[j];
      }
      const Real residual = query == Query::without_residual ? Real(0) : x.row(0)[d];
      lhs.push_back(x.row(0)[d] + keys.attend(std::span<const Real>(q), std::span<const Real>(v)));
      rhs.push_back(residual + expansion);
    }
    return engine::Pair<Real>{lhs, rhs};
  });
}

engine::Check derived(Query query) {
  return engine::composite(
      {{"full attention is x + f(W_Q x)", engine::Kind::identity, full_attention(query)},
       {"f solves an SVR on the keys", engine::Kind::optimality, prescribed_values_are_optimal({})}});
}

}  // namespace

engine::Claims remark_3() {
  engine::Claim printed;
  printed.statement = {
      .id = "primal-dual/remark-3",
      .label = "Remark 3 / App F (W^proj x_j = W_K x_j and W^proj x = W_Q x)",
      .title = "One projection W^proj serves as W_K on training tokens and as W_Q on a test token among them",
      .kind = engine::Kind::existence,
      .tex =
          R"(\exists W^{\mathrm{proj}}:\quad W^{\mathrm{proj}} x_j = W_K x_j\ (j \le N),\quad W^{\mathrm{proj}} x_i = W_Q x_i,\quad i \le N)",
      .assumptions =
          {"the test sample is one of the training samples, as Appendix F and Remark 6 ask for self-attention",
           "W_Q and W_K are free, as in Eq 1"},
      .expected = engine::Verdict::refuted,
      .finding = engine::Finding::unsupported,
      .note =
          "\"We can then relax Eqn. 36 by letting\" W^proj x_j = W_K x_j, W^proj x = W_Q x with x among the x_j: for "
          "x = x_i this asks W_K x_i = W_Q x_i, and with one W^proj the logits between training tokens are "
          "symmetric. What is left after the relaxation is no expansion of Eq 33. The conclusion of Remark 3 is true "
          "by another derivation: see the next statement.",
      .depends_on = {"primal-dual/thm-1-form", "primal-dual/eq-35-36"}};
  printed.check = engine::composite({{"W_Q x_i = W_K x_i", engine::Kind::identity, one_projection(false)},
                                     {"symmetric logits", engine::Kind::identity, symmetric_logits()}});
  printed.near_hits = {{"W_Q that agrees with W_K on the token", 1,
                        engine::composite({{"W_Q x_i = W_K x_i", engine::Kind::identity, one_projection(true)}})}};

  engine::Claim amended;
  amended.statement = {
      .id = "primal-dual/remark-3-two-projections",
      .label = "Remark 3 / App F (queries as test points)",
      .title = "Residual attention with W_Q, W_K, W_V is x + f(W_Q x) for an f that solves Eq 5 on the keys W_K x_j",
      .kind = engine::Kind::existence,
      .tex =
          R"(x_i + \sum_j \mathrm{softmax}\big((W_Q x_i)^\top W_K x_j/\sqrt D\big) W_V x_j = x_i + f(W_Q x_i), \quad f \text{ solves Eq 5 on } (W_K x_j, y_j),\ y_j = f(W_K x_j) + \epsilon\,\mathrm{sign}(W_V x_j))",
      .assumptions = {"D_v = D_x for the residual", "b = 0",
                      "the regression lives on projected keys, so that queries are other points of the same space; the "
                      "residual is added outside it"},
      .expected = engine::Verdict::supported,
      .printed = false,
      .amends = "primal-dual/remark-3",
      .note = "Section 2.1's own derivation with x = W_Q x_i; Appendix F's W^proj is not needed."};
  amended.check = derived(Query::printed);
  amended.near_misses = {{"query 1 percent longer", 0.01, derived(Query::one_percent_longer)},
                         {"residual left out on one side", 1, derived(Query::without_residual)},
                         {"targets 1 percent of epsilon outside the tube", 0.01,
                          engine::composite({{"f solves an SVR on the keys", engine::Kind::optimality,
                                              prescribed_values_are_optimal({.tube = 1.01})}})}};
  return {printed, amended};
}

}  // namespace attest::primal_dual
