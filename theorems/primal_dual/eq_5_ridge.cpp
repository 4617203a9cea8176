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

Regression scaled(Regression data, double factor) {
  for (double& y : data.targets) y *= factor;
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

bool has_free_sample(const svr::Solution& solution, double box) {
  for (const double beta : solution.beta) {
    if (beta != 0 && std::abs(beta) < box) return true;
  }
  return false;
}

// f_{t y}(x) = t f_y(x): the solution map of a ridge regression is linear.
IdentityProblem homogeneity(double least_factor, double greatest_factor, double least_epsilon,
                            double greatest_epsilon) {
  const engine::Layout layout({{"keys", samples * dimension, -1.5, 1.5},
                               {"targets", samples, -2, 2},
                               {"epsilon", 1, least_epsilon, greatest_epsilon},
                               {"C", 1, 0.2, 20},
                               {"factor", 1, least_factor, greatest_factor},
                               {"query", dimension, -1.5, 1.5}});
  IdentityProblem problem;
  search_over(problem, layout);
  problem.sides = [](const Inputs& inputs) -> IdentitySides {
    const double factor = inputs.scalar("factor");
    const Regression data = regression(inputs, samples, dimension, true);
    const auto solution = solve(data);
    const auto solution_scaled = solve(scaled(data, factor));
    if (!solution || !solution_scaled) return {{std::nan("")}, {0}};
    if (!has_free_sample(*solution, data.box) || !has_free_sample(*solution_scaled, data.box))
      return {{std::nan("")}, {0}};
    const auto query = values(inputs, "query", dimension);
    return {{predict(data, *solution_scaled, query)}, {factor * predict(data, *solution, query)}, 1.0};
  };
  problem.ball_sides = [](const Inputs& inputs) -> IdentityBallSides {
    const double factor = inputs.scalar("factor");
    const Regression data = regression(inputs, samples, dimension, true);
    const auto exact = solve_exactly(data);
    const auto exact_scaled = solve_exactly(scaled(data, factor));
    // b, and with it f, is unique only where some sample lies on the edge of the tube.
    if (!exact || !exact_scaled || !exact->has_free_sample() || !exact_scaled->has_free_sample())
      return {{Ball(0)}, {Ball(0)}, false};
    const auto query = values(inputs, "query", dimension);
    return {{predict(data, *exact_scaled, query)}, {Ball(factor) * predict(data, *exact, query)}};
  };
  // None derived, because the statement falls by a wide margin: should it not, the verdict is an error until one is.
  problem.rounding_bound = 0;
  problem.evaluations = 1500;
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
          R"(f_{t\,y}(x) = t\, f_y(x) \quad\text{for all } x, t \quad\text{where } f_y \text{ solves Eq 5 with targets } y)",
      .assumptions = {"Phi of Eq 12 and h of Eq 11",
                      "some training point lies on the edge of the tube, so that b is unique"},
      .expected = engine::Verdict::refuted,
      .note =
          "Section 2.1 and Appendix G call Eq 5 a ridge regression. Ridge regression penalises squared residuals, and "
          "its solution is a linear function of the targets; Eq 5 penalises the absolute residual beyond epsilon, "
          "which thresholds and clips."};
  printed.check = guarded_identity(homogeneity(0.5, 3, 0.05, 0.5));
  printed.near_misses = {
      {"targets scaled by 1 percent only", 0.01, guarded_identity(homogeneity(1.01, 1.01, 0.05, 0.5))},
      {"without a tube (epsilon = 0), C finite", 1, guarded_identity(homogeneity(0.5, 3, 0, 0))}};

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
