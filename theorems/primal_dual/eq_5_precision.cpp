// Below Eq 5: "Eqn. 5 implies that there exists a function f that can approximate all pairs with epsilon precision".
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/rigor/linear_solve.hpp"
#include "theorems/engine/claim.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/inequality.hpp"
#include "theorems/engine/protocols/layout.hpp"
#include "theorems/primal_dual/keys.hpp"
#include "theorems/primal_dual/regression.hpp"
#include "theorems/primal_dual/two_sides.hpp"

namespace attest::primal_dual {
namespace {

using engine::Inputs;
using rigor::Ball;

constexpr std::size_t samples = 3;
constexpr std::size_t dimension = 2;

bool same_key(std::span<const double> keys, std::size_t i, std::size_t j) {
  const auto first = keys.subspan(i * dimension, dimension);
  const auto second = keys.subspan(j * dimension, dimension);
  return std::equal(first.begin(), first.end(), second.begin());
}

// Least possible max_j |y_j - f(k_j)| over all f of Eq 4: half the largest disagreement of targets at one key. Distinct
// keys add nothing: f interpolates there (the second claim).
double least_error(const Inputs& inputs) {
  const auto keys = values(inputs, "keys", samples * dimension);
  const auto targets = values(inputs, "targets", samples);
  double worst = 0;
  for (std::size_t i = 0; i < samples; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (same_key(keys, i, j)) worst = std::max(worst, std::abs(targets[i] - targets[j]) / 2);
    }
  }
  return worst;
}

Ball least_error_ball(const Inputs& inputs) {
  const auto keys = values(inputs, "keys", samples * dimension);
  const auto targets = values(inputs, "targets", samples);
  Ball worst(0);
  for (std::size_t i = 0; i < samples; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (same_key(keys, i, j)) worst = rigor::max(worst, rigor::abs(Ball(targets[i]) - Ball(targets[j])) / Ball(2));
    }
  }
  return worst;
}

// least error <= epsilon + allowance.
engine::Check precision(double allowance) {
  const engine::Layout layout(
      {{"keys", samples * dimension, -2, 2}, {"targets", samples, -2, 2}, {"epsilon", 1, 0.01, 1}});
  engine::InequalityProblem problem;
  search_over(problem, layout);
  problem.sides = [allowance](const Inputs& inputs) -> engine::Sides {
    return {least_error(inputs), inputs.scalar("epsilon") + allowance};
  };
  problem.ball_sides = [allowance](const Inputs& inputs) -> engine::BallSides {
    return {least_error_ball(inputs), Ball(inputs.scalar("epsilon")) + Ball(allowance)};
  };
  problem.corners = {
      layout.point(Inputs{{"keys", {1, 0, 1, 0, 0, 1}}, {"targets", {1, -1, 0}}, {"epsilon", {0.1}}}),
      layout.point(Inputs{{"keys", {0, 0, 0, 0, 0, 0}}, {"targets", {2, -2, 0}}, {"epsilon", {0.5}}}),
  };
  problem.evaluations = 2000;
  return engine::composite(
      {{"least possible error", engine::Kind::universal_inequality, guarded_inequality(std::move(problem))}});
}

double closest_keys(std::span<const double> keys) {
  double closest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < samples; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      closest = std::min(closest, std::hypot(keys[i * dimension] - keys[j * dimension],
                                             keys[i * dimension + 1] - keys[j * dimension + 1]));
    }
  }
  return closest;
}

// Pivots of the Gram matrix without square roots of small differences: relative, in 80-bit arithmetic.
double least_relative_pivot(std::vector<double> gram) {
  std::vector<long double> a(gram.begin(), gram.end());
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < samples; ++k) {
    least = std::min(least, static_cast<double>(a[k * samples + k] / static_cast<long double>(gram[k * samples + k])));
    for (std::size_t i = k + 1; i < samples; ++i) {
      for (std::size_t j = k + 1; j < samples; ++j) {
        a[i * samples + j] -= a[i * samples + k] * a[k * samples + j] / a[k * samples + k];
      }
    }
  }
  return least;
}

// margin < least pivot of K relative to its diagonal, for keys at least `separation` apart.
engine::Check definite(double separation, double margin) {
  const engine::Layout layout({{"keys", samples * dimension, -2, 2}});
  engine::InequalityProblem problem;
  problem.relation = engine::Relation::less;
  search_over(problem, layout);
  // The pivots are parts of the diagonal; where equal keys make one of 0, an equality is a violation and has no size.
  const double size = separation > 0 ? 1 : 0;
  problem.sides = [separation, margin, size](const Inputs& inputs) -> engine::Sides {
    const auto keys = values(inputs, "keys", samples * dimension);
    if (!(closest_keys(keys) >= separation)) return {std::nan(""), 0};
    return {margin, least_relative_pivot(Keys<double>(keys, dimension).gram()), size};
  };
  problem.ball_sides = [separation, margin, size](const Inputs& inputs) -> engine::BallSides {
    const auto keys = values(inputs, "keys", samples * dimension);
    const rigor::BallMatrix gram = exact_gram(Keys<Ball>(keys, dimension));
    const bool apart = closest_keys(keys) >= separation;
    // Equal keys make a pivot that is exactly 0, which an elimination in balls cannot show.
    for (std::size_t i = 0; i < samples; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (same_key(keys, i, j)) return {Ball(margin), Ball(0), apart, size};
      }
    }
    const auto pivots = rigor::gram_pivots(gram);
    if (!pivots) return {Ball(margin), Ball(0), false};
    Ball least = (*pivots)[0] / gram(0, 0);
    for (std::size_t k = 1; k < samples; ++k) least = rigor::min(least, (*pivots)[k] / gram(k, k));
    return {Ball(margin), least, apart, size};
  };
  problem.corners = {layout.point(Inputs{{"keys", {1, 0, 1, 0, 0, 1}}}),
                     layout.point(Inputs{{"keys", {0, 0, 0.5, 0, 0, 0.5}}})};
  problem.evaluations = 3000;
  return engine::composite(
      {{"positive definite", engine::Kind::universal_inequality, guarded_inequality(std::move(problem))}});
}

}  // namespace

engine::Claims eq_5_precision() {
  engine::Claim printed;
  printed.statement = {
      .id = "primal-dual/eq-5-precision",
      .label = "Eq 5 (\"implies that there exists a function f\" with eps precision)",
      .title = "Some f of Eq 4 approximates all training pairs with epsilon precision",
      .kind = engine::Kind::existence,
      .tex = R"(\forall (k_j, y_j)_{j \le N}\ \exists W, b:\quad \max_j |y_j - W\Phi(k_j)/h(k_j) - b| \le \epsilon)",
      .assumptions = {"any training set: keys may coincide, as those of equal tokens do"},
      .expected = engine::Verdict::refuted,
      .finding = engine::Finding::assumption,
      .note =
          "\"The Eqn. 5 implies that there exists a function f\": it does where the keys are distinct (next "
          "statement), which the text does not say. Equal tokens have equal keys, and two equal keys whose targets "
          "differ by more than 2 epsilon rule such an f out; for them the slacks are needed, as the text goes on."};
  printed.check = precision(0);
  printed.near_hits = {{"precision epsilon + 2, half the range of the targets searched", 1, precision(2)}};

  engine::Claim amended;
  amended.statement = {
      .id = "primal-dual/eq-5-precision-distinct-keys",
      .label = "Eq 5 (\"implies that there exists a function f\" with eps precision; distinct keys)",
      .title = "For distinct keys the exponential features interpolate any targets",
      .kind = engine::Kind::existence,
      .tex =
          R"(k_i \ne k_j\ (i \ne j) \ \Rightarrow\ \Big[\tfrac{\exp(k_i^\top k_j/\sqrt D)}{h(k_i)h(k_j)}\Big]_{ij} \succ 0, \text{ so some } f \text{ has } f(k_j) = y_j \text{ for all } j)",
      .assumptions = {"keys pairwise distinct; searched at distances of at least 0.2",
                      "Phi of Eq 12 without truncation"},
      .expected = engine::Verdict::supported,
      .printed = false,
      .amends = "primal-dual/eq-5-precision",
      .note = "Judged by the pivots of the Gram matrix, each relative to its diagonal entry."};
  amended.check = definite(0.2, 0);
  amended.near_misses = {{"equal keys allowed", 1, definite(0, 0)},
                         {"definite with a margin of 1 percent of the diagonal", 0.01, definite(0.2, 0.01)}};
  return {printed, amended};
}

}  // namespace attest::primal_dual
