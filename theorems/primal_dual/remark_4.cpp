// Remark 4: "an attention layer and a neural network layer are primal-dual of each other".
#include <cmath>

#include "kernels/rigor/linear_solve.hpp"
#include "theorems/engine/claim.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/identity.hpp"
#include "theorems/engine/protocols/layout.hpp"
#include "theorems/primal_dual/dense_solve.hpp"
#include "theorems/primal_dual/finite_features.hpp"
#include "theorems/primal_dual/regression.hpp"
#include "theorems/primal_dual/two_sides.hpp"

namespace attest::primal_dual {
namespace {

using engine::Inputs;
using rigor::Ball;
using rigor::BallVector;

constexpr std::size_t samples = 3;
constexpr std::size_t dimension = 2;
constexpr unsigned degree = 2;
constexpr std::size_t features = 6;

// What near-misses change: the dual layer's values, or the primal layer's bias.
struct Variation {
  double values = 1;
  double bias = 1;
};

// The layer W Phi(x) / h(x) + b at the optimum and the attention sum_j softmax_j v_j + b, at the keys and at a query;
// and the optimal values of primal and dual.
engine::Check same_layer(Variation change) {
  const engine::Layout layout({{"keys", samples * dimension, -1.5, 1.5},
                               {"targets", samples, -3, 3},
                               {"epsilon", 1, 0.05, 1},
                               {"C", 1, 0.1, 10},
                               {"query", dimension, -1.5, 1.5}});
  engine::IdentityProblem problem;
  search_over(problem, layout);
  problem.sides = [change](const Inputs& inputs) -> engine::IdentitySides {
    const Regression data = regression(inputs, samples, dimension, true);
    const auto solution = solve(data);
    if (!solution) return {{std::nan("")}, {0}};
    const Keys<double> keys(data.keys, dimension);
    const auto h = keys.normalisers();
    std::vector<double> v;
    for (std::size_t j = 0; j < samples; ++j) v.push_back(change.values * solution->beta[j] / h[j]);
    const auto query = values(inputs, "query", dimension);
    const auto row = keys.kernel_row(query);
    engine::IdentitySides sides{{solution->primal}, {solution->dual}, 2 * samples * data.box * solution->scale + 1};
    sides.lhs.push_back(inner_product(row, solution->beta) + change.bias * solution->bias);
    sides.rhs.push_back(keys.attend(query, v) + solution->bias);
    return sides;
  };
  problem.ball_sides = [change](const Inputs& inputs) -> engine::IdentityBallSides {
    const Regression data = regression(inputs, samples, dimension, true);
    const auto exact = solve_exactly(data);
    if (!exact) return {{Ball(0)}, {Ball(0)}, false};
    const Keys<Ball> keys(data.keys, dimension);
    const auto query = rigor::to_balls(values(inputs, "query", dimension));
    const BallVector v = rigor::scale(Ball(change.values), exact->values());
    const Ball bias = Ball(change.bias) * exact->optimum.bias;
    engine::IdentityBallSides sides{{exact->primal()}, {exact->dual()}};
    sides.lhs.push_back(rigor::dot(keys.kernel_row(query), exact->optimum.beta) + bias);
    sides.rhs.push_back(keys.attend(query, v) + exact->optimum.bias);
    for (std::size_t i = 0; i < samples; ++i) {
      sides.lhs.push_back(exact->optimum.fitted[i] - exact->optimum.bias + bias);
      sides.rhs.push_back(keys.attend(keys.row(i), v) + exact->optimum.bias);
    }
    return sides;
  };
  // Duality gap below 2 N C residual, the residual below 1e-13 of the solver's scale; the layers differ by rounding
  // only.
  problem.rounding_bound = 1e-12;
  problem.evaluations = 1500;
  return guarded_identity(std::move(problem));
}

// c with sum_j c_j Phi(k_j) the projection of w on the span of the Phi(k_j): attention values of the nearest layer.
template <class Real>
struct Projection {
  std::vector<Real> w;
  std::vector<std::vector<Real>> phi;
  std::vector<Real> products;  // <w, Phi(k_j)>
  std::vector<Real> gram;
};

template <class Real>
Projection<Real> project(const Inputs& inputs, const FiniteFeatures& map) {
  Projection<Real> p{as<Real>(values(inputs, "w", features)),
                     map.of_rows(Keys<Real>(values(inputs, "keys", samples * dimension), dimension)),
                     {},
                     {}};
  for (const auto& row : p.phi) {
    p.products.push_back(inner_product(p.w, row));
    for (const auto& other : p.phi) p.gram.push_back(inner_product(row, other));
  }
  return p;
}

// The layer with weight w against the attention layer of its projection: at a query, or at a key.
engine::Check represented(bool at_key, double length) {
  const engine::Layout layout(
      {{"keys", samples * dimension, -1.5, 1.5}, {"w", features, -2, 2}, {"query", dimension, -1.5, 1.5}});
  const FiniteFeatures map(dimension, degree);
  engine::IdentityProblem problem;
  search_over(problem, layout);
  problem.sides = [=](const Inputs& inputs) -> engine::IdentitySides {
    const auto p = project<double>(inputs, map);
    const DenseSolution c = dense_solve(p.gram, p.products);
    if (!(c.inverse_norm < 1e4)) return {{std::nan("")}, {0}};
    const auto phi_x = at_key ? p.phi[0] : map(values(inputs, "query", dimension));
    const double h = normaliser(phi_x, p.phi);
    double rhs = 0;
    for (std::size_t j = 0; j < samples; ++j) rhs += inner_product(phi_x, p.phi[j]) * c.x[j] / h;
    // |Phi(k_j)|^2 <= 10 on this box; the solve's error is amplified by the inverse.
    return {{length * inner_product(p.w, phi_x) / h}, {rhs}, (1 + c.inverse_norm) * (1 + c.largest) * 100};
  };
  problem.ball_sides = [=](const Inputs& inputs) -> engine::IdentityBallSides {
    const auto p = project<Ball>(inputs, map);
    rigor::BallMatrix gram(samples, samples);
    gram.entries = p.gram;
    const auto c = rigor::solve(gram, p.products);
    if (!c) return {{Ball(0)}, {Ball(0)}, false};
    const auto query = rigor::to_balls(values(inputs, "query", dimension));
    const auto phi_x = at_key ? p.phi[0] : map(std::span<const Ball>(query));
    const Ball h = normaliser(phi_x, p.phi);
    Ball rhs;
    for (std::size_t j = 0; j < samples; ++j) rhs += inner_product(phi_x, p.phi[j]) * (*c)[j] / h;
    return {{Ball(length) * inner_product(p.w, phi_x) / h}, {rhs}};
  };
  problem.rounding_bound = 64 * samples * 0x1p-53;
  problem.evaluations = 400;
  return guarded_identity(std::move(problem));
}

}  // namespace

engine::Claims remark_4() {
  engine::Claim same;
  same.statement = {
      .id = "primal-dual/remark-4",
      .label = "Remark 4",
      .title = "At the optimum the layer of Eq 4 and its attention expansion are one function with one optimal value",
      .kind = engine::Kind::optimality,
      .tex =
          R"(\min P = \max D, \qquad W\tfrac{\Phi(x)}{h(x)} + b = \sum_j \mathrm{softmax}(x^\top k_j/\sqrt D)\,v_j + b \quad\text{for the optimal } (W, b) \text{ and } v)",
      .assumptions =
          {"the layer's input features Phi(x) and its normaliser h(x) are fixed, and h is made of the training keys",
           "C > 0 finite; b free"},
      .expected = engine::Verdict::supported,
      .note =
          "Eq 4 has the form of a linear layer on fixed features. What is primal and dual to each other are the two "
          "optimisation problems, so the statement concerns solved layers only: see the next statement.",
      .depends_on = {"primal-dual/eq-10"}};
  same.check = same_layer({});
  same.near_misses = {{"values raised by 1 percent", 0.01, same_layer({.values = 1.01})},
                      {"bias of the primal layer raised by 1 percent", 0.01, same_layer({.bias = 1.01})}};

  engine::Claim each_other;
  each_other.statement = {
      .id = "primal-dual/remark-4-every-layer",
      .label = "Remark 4 (\"of each other\": every layer of the form Eq 4)",
      .title = "Every layer of the form Eq 4 is an attention layer over the keys",
      .kind = engine::Kind::existence,
      .tex =
          R"(\forall W\ \exists v_1,\dots,v_N\ \forall x:\quad W\tfrac{\Phi(x)}{h(x)} = \sum_j \tfrac{\Phi(x)^\top\Phi(k_j)}{h(x)} v_j)",
      .assumptions = {"more features than keys: always so for Phi of Eq 12",
                      "judged with the features of degree <= 2 and three keys in the plane: the best v are those of "
                      "the projection of W on the span of the Phi(k_j)"},
      .expected = engine::Verdict::refuted,
      .note = "Attention layers are primal layers (Eq 8), but only those whose rows lie in the span of N features.",
      .depends_on = {"primal-dual/thm-1-form", "primal-dual/remark-4"}};
  each_other.check = represented(false, 1);
  each_other.near_misses = {{"W in the span plus 1 percent of itself, at a key", 0.01, represented(true, 1.01)}};

  engine::Claim at_keys;
  at_keys.statement = {
      .id = "primal-dual/remark-4-projection",
      .label = "Remark 4 (agreement on the keys)",
      .title = "Every layer of the form Eq 4 agrees with an attention layer on the keys",
      .kind = engine::Kind::existence,
      .tex =
          R"(\forall W\ \exists v:\quad W\tfrac{\Phi(k_i)}{h(k_i)} = \sum_j \tfrac{\Phi(k_i)^\top\Phi(k_j)}{h(k_i)} v_j \quad (i \le N), \qquad v = \big[\Phi(k_i)^\top\Phi(k_j)\big]^{-1}\big(W\Phi(k_i)\big)_i)",
      .assumptions = {"Phi(k_1), ..., Phi(k_N) linearly independent"},
      .expected = engine::Verdict::supported,
      .printed = false,
      .amends = "primal-dual/remark-4-every-layer",
      .note = "The representer theorem: on the training points nothing is lost by the projection, and |W| only falls."};
  at_keys.check = represented(true, 1);
  at_keys.near_misses = {{"W longer by 1 percent", 0.01, represented(true, 1.01)},
                         {"at a query instead of a key", 1, represented(false, 1)}};
  return {same, each_other, at_keys};
}

}  // namespace attest::primal_dual
