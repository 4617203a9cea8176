// Remark 4: "an attention layer and a neural network layer are primal-dual of each other".
#include <cmath>
#include <optional>

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

// What near-misses change: the values of the expansion, the length of the layer's weight, the optimal value.
struct Variation {
  double values = 1;
  double weight = 1;
  double optimum = 1;
};

// Eq 5 on the features of degree <= 2, so that its weight is a vector of six numbers: solved in the dual, proven, and
// written out in the primal.
struct Layer {
  std::vector<BallVector> phi;
  BallVector h;
  svr::BallProblem problem;
  svr::Optimum optimum;
  BallVector w;

  // 1/2 |w|^2 + C sum_j max(|y_j - w'Phi(k_j)/h(k_j) - b| - epsilon, 0), from the weight itself.
  Ball objective(const BallVector& weight, const Ball& bias) const {
    Ball loss;
    for (std::size_t j = 0; j < samples; ++j) {
      const Ball residual = problem.targets[j] - rigor::dot(weight, phi[j]) / h[j] - bias;
      loss += rigor::max(rigor::abs(residual) - problem.epsilon, Ball(0));
    }
    return rigor::dot(weight, weight) / Ball(2) + problem.box * loss;
  }
};

std::optional<Layer> optimal_layer(const Inputs& inputs, const FiniteFeatures& map) {
  const Keys<Ball> keys(values(inputs, "keys", samples * dimension), dimension);
  Layer layer{map.of_rows(keys), {}, {}, {}, BallVector(features)};
  for (const auto& row : layer.phi) layer.h.push_back(normaliser(row, layer.phi));
  rigor::BallMatrix gram(samples, samples);
  std::vector<double> rounded(samples * samples);
  for (std::size_t i = 0; i < samples; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      gram(i, j) = rigor::dot(layer.phi[i], layer.phi[j]) / (layer.h[i] * layer.h[j]);
      gram(j, i) = gram(i, j);
      rounded[i * samples + j] = gram(i, j).mid();
      rounded[j * samples + i] = rounded[i * samples + j];
    }
  }
  const auto targets = values(inputs, "targets", samples);
  const double epsilon = inputs.scalar("epsilon");
  const double box = inputs.scalar("C");
  svr::Problem in_doubles{
      svr::Gram::dense(samples, std::move(rounded)), {targets.begin(), targets.end()}, epsilon, box, true};
  const svr::Solution solution = svr::solve(in_doubles);
  if (solution.status != svr::Status::converged) return std::nullopt;
  layer.problem = {std::move(gram), rigor::to_balls(targets), Ball(epsilon), Ball(box), true};
  auto optimum = svr::enclose_optimum(layer.problem, svr::places(solution, box), solution.bias);
  if (!optimum) return std::nullopt;
  layer.optimum = std::move(*optimum);
  for (std::size_t j = 0; j < samples; ++j) {
    for (std::size_t l = 0; l < features; ++l) layer.w[l] += layer.optimum.beta[j] * layer.phi[j][l] / layer.h[j];
  }
  return layer;
}

std::vector<engine::Block> regressions() {
  return {{"keys", samples * dimension, -1.5, 1.5},
          {"targets", samples, -3, 3},
          {"epsilon", 1, 0.01, 1},
          {"C", 1, 0.1, 10}};
}

// W Phi(x) / h(x) + b from the written-out weight against sum_j Phi(x)'Phi(k_j) / h(x) v_j + b, at a query.
engine::Check one_function(const Variation& change) {
  auto list = regressions();
  list.push_back({"query", dimension, -1.5, 1.5});
  engine::IdentityProblem problem;
  search_over(problem, engine::Layout(list));
  const FiniteFeatures map(dimension, degree);
  problem.ball_sides = [change, map](const Inputs& inputs) -> engine::IdentityBallSides {
    const auto layer = optimal_layer(inputs, map);
    if (!layer) return {{Ball(0)}, {Ball(0)}, false};
    const auto query = rigor::to_balls(values(inputs, "query", dimension));
    const auto phi_x = map(std::span<const Ball>(query));
    const Ball h_x = normaliser(phi_x, layer->phi);
    Ball expansion = layer->optimum.bias;
    for (std::size_t j = 0; j < samples; ++j) {
      const Ball v = Ball(change.values) * layer->optimum.beta[j] / layer->h[j];
      expansion += rigor::dot(phi_x, layer->phi[j]) / h_x * v;
    }
    return {{rigor::dot(layer->w, phi_x) / h_x + layer->optimum.bias}, {expansion}};
  };
  // Both sides are sums of terms as large as the targets, which may cancel to anything.
  problem.sides = [enclosures = midpoints(with_guard_bits(problem.ball_sides))](const Inputs& inputs) {
    engine::IdentitySides sides = enclosures(inputs);
    sides.scale = 3;
    return sides;
  };
  problem.exact_rewriting = "both doubles are rounded from enclosures of different formulas";
  problem.rounding_bound = midpoint_rounding;
  problem.evaluations = 400;
  return guarded_identity(std::move(problem));
}

// The primal objective of the written-out layer against the dual objective of its multipliers.
engine::Check one_value(const Variation& change) {
  engine::IdentityProblem problem;
  search_over(problem, engine::Layout(regressions()));
  const FiniteFeatures map(dimension, degree);
  problem.ball_sides = [change, map](const Inputs& inputs) -> engine::IdentityBallSides {
    const auto layer = optimal_layer(inputs, map);
    if (!layer) return {{Ball(0)}, {Ball(0)}, false};
    return {{layer->objective(rigor::scale(Ball(change.weight), layer->w), layer->optimum.bias)},
            {svr::dual_objective(layer->problem, layer->optimum.beta)}};
  };
  problem.exact_rewriting = "both doubles are rounded from enclosures of different formulas";
  problem.rounding_bound = midpoint_rounding;
  problem.evaluations = 400;
  return guarded_identity(std::move(problem));
}

// No other layer, with weight w + delta and another bias, has a lower objective.
engine::Check no_better_layer(const Variation& change) {
  auto list = regressions();
  list.push_back({"delta", features, -0.5, 0.5});
  list.push_back({"delta b", 1, -0.5, 0.5});
  engine::InequalityProblem problem;
  search_over(problem, engine::Layout(list));
  const FiniteFeatures map(dimension, degree);
  problem.ball_sides = [change, map](const Inputs& inputs) -> engine::BallSides {
    const auto layer = optimal_layer(inputs, map);
    if (!layer) return {Ball(0), Ball(0), false};
    BallVector other = layer->w;
    const auto delta = values(inputs, "delta", features);
    for (std::size_t l = 0; l < features; ++l) other[l] += Ball(delta[l]);
    return {Ball(change.optimum) * layer->objective(layer->w, layer->optimum.bias),
            layer->objective(other, layer->optimum.bias + Ball(inputs.scalar("delta b")))};
  };
  problem.evaluations = 1500;
  return guarded_inequality(std::move(problem));
}

engine::Check same_layer(const Variation& change) {
  return engine::composite({{"one function", engine::Kind::identity, one_function(change)},
                            {"one optimal value", engine::Kind::optimality, one_value(change)},
                            {"no other layer is better", engine::Kind::universal_inequality, no_better_layer(change)}});
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
      .title = "At the optimum the layer of Eq 4 and its attention expansion are one function, with one optimal value",
      .kind = engine::Kind::optimality,
      .tex =
          R"(P(W,b) = \min P = \max D, \qquad W\tfrac{\Phi(x)}{h(x)} + b = \sum_j \tfrac{\Phi(x)^\top\Phi(k_j)}{h(x)}\,v_j + b \quad\text{for the optimal } (W, b) \text{ and } v)",
      .assumptions =
          {"the layer's input features Phi(x) and its normaliser h(x) are fixed, and h is made of the training keys",
           "C > 0 finite; b free",
           "judged with the features of Eq 12 of degree <= 2 and three keys in the plane, where W is six numbers"},
      .expected = engine::Verdict::supported,
      .note =
          "Eq 4 has the form of a linear layer on fixed features. What is primal and dual to each other are the two "
          "optimisation problems, so the statement concerns solved layers only: see the next statement.",
      .depends_on = {"primal-dual/eq-10"}};
  same.check = same_layer({});
  same.near_misses = {{"values raised by 1 percent", 0.01, same_layer({.values = 1.01})},
                      {"weight longer by 1 percent", 0.01, same_layer({.weight = 1.01})},
                      {"optimal value higher by 0.1 percent", 1e-3, same_layer({.optimum = 1.001})}};

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
      .printed = false,
      .amends = "primal-dual/remark-4",
      .note =
          "Not asserted in the text: \"of each other\" speaks of solved layers. Attention layers are primal layers (Eq "
          "8), but only those whose rows lie in the span of N features.",
      .depends_on = {"primal-dual/thm-1-form", "primal-dual/remark-4"}};
  each_other.check = represented(false, 1);
  each_other.near_hits = {{"at a key instead of a query", 1, represented(true, 1)}};

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
