// Eq 5 is called a ridge regression (Sec 2.1, App G). Ridge regression is linear in its targets; is Eq 5?
#include <cmath>

#include "kernels/rigor/linear_solve.hpp"
#include "theorems/engine/claim.hpp"
#include "theorems/engine/protocols/identity.hpp"
#include "theorems/engine/protocols/layout.hpp"
#include "theorems/primal_dual/dense_solve.hpp"
#include "theorems/primal_dual/regression.hpp"
#include "theorems/primal_dual/two_sides.hpp"

namespace attest::primal_dual {
namespace {

using engine::IdentityBallSides;
using engine::IdentityProblem;
using engine::IdentitySides;
using engine::Inputs;
using rigor::Ball;

constexpr std::size_t samples = 3;
constexpr std::size_t dimension = 2;

// What is multiplied with the targets.
enum class Scaled { targets, tube_and_box_too };

Regression scaled(Regression data, double factor, Scaled what) {
  for (double& y : data.targets) y *= factor;
  if (what == Scaled::tube_and_box_too) {
    data.epsilon *= factor;
    data.box *= factor;
  }
  return data;
}

// f(query) of the solved regression.
double predict(const Regression& data, const svr::Solution& solution, std::span<const double> query) {
  const std::vector<double> row = Keys<double>(data.keys, data.dimension).kernel_row(query);
  return inner_product(std::span<const double>(row), std::span<const double>(solution.beta)) + solution.bias;
}

Ball predict(const Regression& data, const ExactRegression& exact, std::span<const double> query) {
  const rigor::BallVector x = rigor::to_balls(query);
  return rigor::dot(Keys<Ball>(data.keys, data.dimension).kernel_row(x), exact.optimum.beta) + exact.optimum.bias;
}

// f_{t y}(x) = t f_y(x): the solution map of a ridge regression is linear.
IdentityProblem homogeneity(Scaled what) {
  const engine::Layout layout({{"keys", samples * dimension, -1.5, 1.5},
                               {"targets", samples, -2, 2},
                               {"epsilon", 1, 0.05, 0.5},
                               {"C", 1, 0.2, 20},
                               {"factor", 1, 0, 2},
                               {"query", dimension, -1.5, 1.5}});
  IdentityProblem problem;
  search_over(problem, layout);
  problem.ball_sides = [what](const Inputs& inputs) -> IdentityBallSides {
    const double factor = inputs.scalar("factor");
    const Regression data = regression(inputs, samples, dimension, true);
    const auto exact = solve_exactly(data);
    const auto exact_scaled = solve_exactly(scaled(data, factor, what));
    // b, and with it f, is unique only where some sample lies on the edge of the tube.
    if (!exact || !exact_scaled || !exact->has_free_sample() || !exact_scaled->has_free_sample())
      return {{Ball(0)}, {Ball(0)}, false};
    const auto query = values(inputs, "query", dimension);
    return {{predict(data, *exact_scaled, query)}, {Ball(factor) * predict(data, *exact, query)}};
  };
  // A power of two leaves every place as it is; other factors round the tube and the box by one unit each, which moves
  // the optimum by that times the condition of the kernel matrix: only factors that are exact are searched.
  problem.decode = [layout](std::span<const double> x) {
    Inputs inputs = layout.decode()(x);
    Inputs exact;
    for (const char* name : {"keys", "targets", "epsilon", "C", "query"}) {
      const auto entries = inputs[name];
      exact.add(name, {entries.begin(), entries.end()});
    }
    exact.add("factor", {inputs.scalar("factor") < 1 ? 0.5 : 2.0});
    return exact;
  };
  problem.rounding_bound = midpoint_rounding;
  problem.evaluations = 300;
  return problem;
}

// epsilon = tube, C = infinity, b = 0 against the interpolant (A + ridge I)^-1 y.
IdentityProblem interpolation(double tube, double ridge) {
  const engine::Layout layout(
      {{"keys", samples * dimension, -1.5, 1.5}, {"targets", samples, -2, 2}, {"query", dimension, -1.5, 1.5}});
  IdentityProblem problem;
  search_over(problem, layout);
  const auto hard = [tube](const Inputs& inputs) {
    const auto keys = values(inputs, "keys", samples * dimension);
    const auto targets = values(inputs, "targets", samples);
    return Regression{{keys.begin(), keys.end()}, dimension, {targets.begin(), targets.end()}, tube,
                      svr::hard_margin,           false};
  };
  problem.sides = [hard, ridge](const Inputs& inputs) -> IdentitySides {
    const Regression data = hard(inputs);
    const auto solution = solve(data);
    if (!solution) return {{std::nan("")}, {0}};
    const Keys<double> keys(data.keys, dimension);
    std::vector<double> attention;  // A_KK = softmax(K K' / sqrt(D))
    for (std::size_t i = 0; i < samples; ++i) {
      const auto row = keys.softmax(keys.row(i));
      attention.insert(attention.end(), row.begin(), row.end());
      attention[i * samples + i] += ridge;
    }
    const DenseSolution interpolant = dense_solve(attention, data.targets);
    const auto query = values(inputs, "query", dimension);
    // A has rows of sum 1, so an error r in f(k) moves the values by at most |A^-1|_inf r, and f(query) by no more.
    const double scale = interpolant.inverse_norm * (interpolant.largest + solution->scale);
    if (!(scale < 1e6)) return {{std::nan("")}, {0}};  // keys too close for doubles to say anything
    return {{predict(data, *solution, query)}, {keys.attend(query, interpolant.x)}, scale};
  };
  problem.ball_sides = [hard, ridge](const Inputs& inputs) -> IdentityBallSides {
    const Regression data = hard(inputs);
    const auto exact = solve_exactly(data);
    const Keys<Ball> keys(data.keys, dimension);
    rigor::BallMatrix attention(samples, samples);
    for (std::size_t i = 0; i < samples; ++i) {
      const auto row = keys.softmax(keys.row(i));
      for (std::size_t j = 0; j < samples; ++j) attention(i, j) = row[j];
      attention(i, i) += Ball(ridge);
    }
    const auto interpolant = rigor::solve(attention, rigor::to_balls(data.targets));
    if (!exact || !interpolant) return {{Ball(0)}, {Ball(0)}, false};
    const auto query = rigor::to_balls(values(inputs, "query", dimension));
    return {{predict(data, *exact, values(inputs, "query", dimension))}, {keys.attend(query, *interpolant)}};
  };
  // The solver's residual is at most 1e-13 of its scale; the dense solve's backward error is below 8 N unit roundoffs.
  problem.rounding_bound = 1e-13 + 64 * samples * 0x1p-53;
  problem.corners = {
      layout.point(Inputs{{"keys", {1, 0, 0, 1, -1, -1}}, {"targets", {1, -1, 2}}, {"query", {0.5, 0.5}}})};
  problem.evaluations = 1000;
  return problem;
}

}  // namespace

engine::Claims eq_5_ridge() {
  engine::Claim printed;
  printed.statement = {
      .id = "primal-dual/eq-5-ridge-regression",
      .label = "Eq 5 (\"ridge regression\")",
      .title = "Eq 5 is a ridge regression: its solution is linear in the targets",
      .kind = engine::Kind::definition,
      .tex =
          R"(f_{t\,y}(x) = t\, f_y(x) \quad\text{for all } x,\ t \in \{\tfrac12, 2\} \quad\text{where } f_y \text{ solves Eq 5 with targets } y)",
      .assumptions = {"Phi of Eq 12 and h of Eq 11",
                      "some training point lies on the edge of the tube, so that b is unique"},
      .expected = engine::Verdict::refuted,
      .finding = engine::Finding::imprecise,
      .note =
          "\"An L2 regularization on W, i.e., a ridge regression\" (Section 2.1, Appendix G): true if the word names "
          "the penalty alone, and of the solution at epsilon = 0, C = infinity (next statement). Ridge regression "
          "penalises squared residuals, and "
          "its solution is a linear function of the targets; Eq 5 penalises the absolute residual beyond epsilon, "
          "which thresholds and clips."};
  printed.check = guarded_identity(homogeneity(Scaled::targets));
  printed.near_hits = {
      {"epsilon and C scaled with the targets", 1, guarded_identity(homogeneity(Scaled::tube_and_box_too))}};

  engine::Claim amended;
  amended.statement = {
      .id = "primal-dual/eq-5-interpolation",
      .label = "Eq 5 (epsilon = 0, C = infinity: ridgeless regression)",
      .title = "Without tube and slack Eq 5 is the limit of ridge regression, and attention with values A^{-1} y",
      .kind = engine::Kind::optimality,
      .tex =
          R"(\epsilon = 0,\ C = \infty,\ b = 0 \ \Rightarrow\ f(x) = \sum_j \mathrm{softmax}_j(x^\top k_j/\sqrt{D})\,(A_{KK}^{-1} y)_j,\quad )"
          R"(A_{KK} = \mathrm{softmax}(K K^\top/\sqrt{D}))",
      .assumptions = {"the keys are pairwise distinct, which makes A_KK invertible", "b = 0"},
      .expected = engine::Verdict::supported,
      .printed = false,
      .amends = "primal-dual/eq-5-ridge-regression",
      .note =
          "The one case in which Eq 5 is a (ridgeless) ridge regression. The targets are A_KK v, not v: the values of "
          "an attention layer are not what its regression fits."};
  amended.check = guarded_identity(interpolation(0, 0));
  amended.near_misses = {{"tube of half width 0.01 instead of 0", 0.01, guarded_identity(interpolation(0.01, 0))},
                         {"ridge of 0.01 kept in A_KK + 0.01 I", 0.01, guarded_identity(interpolation(0, 0.01))}};
  return {printed, amended};
}

}  // namespace attest::primal_dual
