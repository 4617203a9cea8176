// Theorem 1: softmax attention as a support vector expansion, with one projection for queries and keys or with two.
#include <cmath>

#include "theorems/engine/claim.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/identity.hpp"
#include "theorems/engine/protocols/layout.hpp"
#include "theorems/primal_dual/finite_features.hpp"
#include "theorems/primal_dual/monomials.hpp"
#include "theorems/primal_dual/prescribed_values.hpp"
#include "theorems/primal_dual/regression.hpp"
#include "theorems/primal_dual/two_sides.hpp"

namespace attest::primal_dual {
namespace {

using engine::Inputs;
using rigor::Ball;
using rigor::BallVector;

constexpr std::size_t samples = 3;
constexpr std::size_t dimension = 2;
constexpr unsigned degree = 36;  // tail below 3.2^37 / 37! * e^3.2 < 1e-23 for |x|, |k| <= 1.5 sqrt(2)

// What near-misses change: the temperature of the softmax, and the division of v_j by h(k_j).
struct Variation {
  double temperature = 1;
  bool divided = true;
};

// Left: W Phi(x) / h(x) with w = sum_j beta_j Phi(k_j) / h(k_j) written out to `degree`, the tail enclosed.
// Right: sum_j softmax(x'k_j / sqrt(D)) v_j with v_j = beta_j / h(k_j).
engine::IdentityBallSides primal_and_attention(const Keys<Ball>& keys, std::span<const Ball> query,
                                               const BallVector& beta, const Monomials& map, const Variation& change) {
  const Ball scale = fourth_root_scale(dimension);
  const BallVector h = keys.normalisers();
  const BallVector phi_x = map(query, scale);
  const Ball h_x = keys.normaliser(query);
  BallVector w(map.size());
  BallVector v;
  BallVector logits;
  Ball tail;
  for (std::size_t j = 0; j < keys.size(); ++j) {
    const BallVector phi_k = map(keys.row(j), scale);
    const Ball coefficient = beta[j] / h[j];
    for (std::size_t l = 0; l < w.size(); ++l) w[l] += coefficient * phi_k[l];
    const Ball u = rigor::dot(query, keys.row(j)) / rigor::sqrt(Ball(dimension));
    tail += coefficient * exponential_remainder(u, map.degree());
    v.push_back(change.divided ? coefficient : beta[j]);
    logits.push_back(u * Ball(change.temperature));
  }
  return {{(rigor::dot(w, phi_x) + tail) / h_x}, {rigor::dot(rigor::softmax(logits), v)}};
}

engine::IdentitySides doubles(const Keys<double>& keys, std::span<const double> query, const std::vector<double>& beta,
                              const Variation& change) {
  const std::vector<double> row = keys.kernel_row(query);
  const std::vector<double> h = keys.normalisers();
  double lhs = 0;
  double size = 0;
  double numerator = 0;
  double denominator = 0;
  for (std::size_t j = 0; j < keys.size(); ++j) {
    lhs += row[j] * beta[j];
    size += std::abs(row[j] * beta[j]);
    const double u = change.temperature * inner_product(query, keys.row(j)) / std::sqrt(static_cast<double>(dimension));
    numerator += std::exp(u) * (change.divided ? beta[j] / h[j] : beta[j]);
    denominator += std::exp(u);
  }
  return {{lhs}, {numerator / denominator}, size};
}

// At the optimum of Eq 5 with b = 0; hard margin where no C is stored.
engine::Check form(bool hard_margin, Variation change) {
  std::vector<engine::Block> blocks{{"keys", samples * dimension, -1.5, 1.5},
                                    {"targets", samples, -3, 3},
                                    {"epsilon", 1, 0.05, 1},
                                    {"query", dimension, -1.5, 1.5}};
  if (!hard_margin) blocks.push_back({"C", 1, 0.1, 10});
  const engine::Layout layout(blocks);
  const Monomials map(dimension, degree);
  engine::IdentityProblem problem;
  search_over(problem, layout);
  problem.sides = [change](const Inputs& inputs) -> engine::IdentitySides {
    const Regression data = regression(inputs, samples, dimension, false);
    const auto solution = solve(data);
    if (!solution) return {{std::nan("")}, {0}};
    return doubles(Keys<double>(data.keys, dimension), values(inputs, "query", dimension), solution->beta, change);
  };
  problem.ball_sides = [change, map](const Inputs& inputs) -> engine::IdentityBallSides {
    const Regression data = regression(inputs, samples, dimension, false);
    const auto exact = solve_exactly(data);
    if (!exact) return {{Ball(0)}, {Ball(0)}, false};
    const Keys<Ball> keys(data.keys, dimension);
    const auto query = rigor::to_balls(values(inputs, "query", dimension));
    return primal_and_attention(keys, query, exact->optimum.beta, map, change);
  };
  // About 12 N roundings a weight on either side.
  problem.rounding_bound = 64 * samples * 0x1p-53;
  problem.evaluations = 1500;
  problem.ball_points = 12;
  return guarded_identity(std::move(problem));
}

// f at the query W_Q x against attention with keys W_K x_j and prescribed values v_j, W_Q != W_K; near-misses evaluate
// the regression at W_K x, or at a query that is 1 percent off.
enum class Query { printed, projected_as_key, one_percent_longer };

engine::Check projections(Query query) {
  const engine::Layout layout({{"tokens", samples * dimension, -1, 1},
                               {"W_Q", dimension * dimension, -0.7, 0.7},
                               {"W_K", dimension * dimension, -0.7, 0.7},
                               {"v", samples, -3, 3}});
  const Monomials map(dimension, degree);
  engine::IdentityProblem problem;
  search_over(problem, layout);
  problem.ball_sides = [map, query](const Inputs& inputs) -> engine::IdentityBallSides {
    const Keys<Ball> tokens(values(inputs, "tokens", samples * dimension), dimension);
    const auto w_q = rigor::to_balls(values(inputs, "W_Q", dimension * dimension));
    const auto w_k = rigor::to_balls(values(inputs, "W_K", dimension * dimension));
    const Keys<Ball> keys(projected_rows(tokens, w_k), dimension);
    const BallVector q = projected(w_q, tokens.row(0));
    BallVector beta = keys.normalisers();
    for (std::size_t j = 0; j < samples; ++j) beta[j] *= Ball(values(inputs, "v", samples)[j]);
    BallVector at = query == Query::projected_as_key ? projected(w_k, tokens.row(0)) : q;
    if (query == Query::one_percent_longer) at = rigor::scale(Ball(1.01), at);
    const auto primal = primal_and_attention(keys, at, beta, map, {});
    return {primal.lhs, {keys.attend(q, rigor::to_balls(values(inputs, "v", samples)))}};
  };
  problem.sides = [query](const Inputs& inputs) -> engine::IdentitySides {
    const Keys<double> tokens(values(inputs, "tokens", samples * dimension), dimension);
    const auto w_q = as<double>(values(inputs, "W_Q", dimension * dimension));
    const auto w_k = as<double>(values(inputs, "W_K", dimension * dimension));
    const Keys<double> keys(projected_rows(tokens, w_k), dimension);
    const auto q = projected(w_q, tokens.row(0));
    auto beta = keys.normalisers();
    const auto v = values(inputs, "v", samples);
    for (std::size_t j = 0; j < samples; ++j) beta[j] *= v[j];
    auto at = query == Query::projected_as_key ? projected(w_k, tokens.row(0)) : q;
    if (query == Query::one_percent_longer) {
      for (double& entry : at) entry *= 1.01;
    }
    return {{inner_product(std::span<const double>(keys.kernel_row(at)), std::span<const double>(beta))},
            {keys.attend(q, v)},
            3.0};
  };
  // Weights are at most 1 and the values at most 3, with about 12 N roundings a weight on either side.
  problem.rounding_bound = 64 * samples * 0x1p-53;
  problem.evaluations = 1500;
  problem.ball_points = 12;
  return guarded_identity(std::move(problem));
}

engine::Check survives(Query query) {
  return engine::composite(
      {{"attention is f at the queries", engine::Kind::identity, projections(query)},
       {"f solves an SVR on the keys", engine::Kind::optimality, prescribed_values_are_optimal({})}});
}

}  // namespace

engine::Claims thm_1() {
  engine::Claim claim;
  claim.statement = {
      .id = "primal-dual/thm-1-form",
      .label = "Thm 1",
      .title = "The support vector expansion of Eq 5 has the form of softmax attention",
      .kind = engine::Kind::identity,
      .tex =
          R"(f(x) = \Big\langle w,\, \tfrac{\Phi(x)}{h(x)}\Big\rangle = \sum_{j=1}^N \mathrm{softmax}\big(x^\top k_j/\sqrt D\big)\,v_j, \qquad v_j = (\alpha_j-\tilde\alpha_j)/h(k_j))",
      .assumptions =
          {"b = 0 fixed in Eq 5", "Phi of Eq 28 with the coordinates x_d / D^(1/4), all degrees",
           "h(x) = sum_j Phi(x)'Phi(k_j): the features of Eq 5 are Phi / h, and h depends on the training keys"},
      .expected = engine::Verdict::supported,
      .note =
          "Judged at proven optima of Eq 5, for finite C and for the relaxed problem; the features are written out to "
          "degree 36 and the tail is enclosed. As an algebraic identity it holds for any multipliers.",
      .depends_on = {"primal-dual/eq-10", "primal-dual/eq-14"}};
  claim.check = engine::composite({{"C finite", engine::Kind::identity, form(false, {})},
                                   {"C = infinity", engine::Kind::identity, form(true, {})}});
  claim.near_misses = {
      {"temperature off by 1 percent", 0.01, form(false, {.temperature = 1.01}), "C finite"},
      {"temperature off by 1 percent without a box", 0.01, form(true, {.temperature = 1.01}), "C = infinity"},
      {"v_j without the division by h(k_j)", 1, form(false, {.divided = false}), "C finite"}};

  engine::Claim two_projections;
  two_projections.statement = {
      .id = "primal-dual/thm-1-projections",
      .label = "Thm 1 with W_Q != W_K",
      .title = "Theorem 1 survives different projections of queries and keys",
      .kind = engine::Kind::existence,
      .tex =
          R"(\forall W_Q, W_K, x_1,\dots,x_N, v\ \exists\, y,\epsilon,C:\ \sum_j \mathrm{softmax}\big((W_Q x_i)^\top W_K x_j/\sqrt D\big) v_j = f(W_Q x_i),\quad f \text{ solves Eq 5 on } (W_K x_j, y_j))",
      .assumptions = {"b = 0", "queries are test points of f; only the keys are training points"},
      .expected = engine::Verdict::supported,
      .note =
          "exp(q_i'k_j / sqrt(D)) is not symmetric in i and j, but the kernel of the regression is exp(x'z / sqrt(D)) "
          "/ (h(x) h(z)) on R^D, evaluated at keys (its Gram matrix, symmetric) and at queries (never as training "
          "data).",
      .depends_on = {"primal-dual/thm-1-form"}};
  two_projections.check = survives(Query::printed);
  two_projections.near_misses = {{"f at a query 1 percent longer", 0.01, survives(Query::one_percent_longer)},
                                 {"f at W_K x_i instead of W_Q x_i", 1, survives(Query::projected_as_key)},
                                 {"targets 1 percent of epsilon outside the tube", 0.01,
                                  engine::composite({{"f solves an SVR on the keys", engine::Kind::optimality,
                                                      prescribed_values_are_optimal({.tube = 1.01})}})}};
  return {claim, two_projections};
}

}  // namespace attest::primal_dual
