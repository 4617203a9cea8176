// Theorem 1 drops the box of Remark 1 ("relax the boundness constraint of the variables v_j"), and the paper concludes
// that attention solves a regression problem. What does dropping the box mean, and of which problem is attention a
// solution?
#include <algorithm>
#include <cmath>

#include "theorems/engine/claim.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/identity.hpp"
#include "theorems/engine/protocols/inequality.hpp"
#include "theorems/engine/protocols/layout.hpp"
#include "theorems/primal_dual/improvable.hpp"
#include "theorems/primal_dual/prescribed_values.hpp"
#include "theorems/primal_dual/regression.hpp"
#include "theorems/primal_dual/two_sides.hpp"

namespace attest::primal_dual {
namespace {

using engine::Inputs;
using rigor::Ball;

constexpr std::size_t samples = 3;
constexpr std::size_t dimension = 2;

std::vector<engine::Block> hard_margin_blocks() {
  return {{"keys", samples * dimension, -1.5, 1.5}, {"targets", samples, -3, 3}, {"epsilon", 1, 0.05, 1}};
}

engine::IdentityProblem over(const engine::Layout& layout) {
  engine::IdentityProblem problem;
  search_over(problem, layout);
  // Values within N largest-multiplier residual of the optimum, the residual below 1e-13 of the solver's scale.
  problem.rounding_bound = 1e-12;
  problem.evaluations = 6000;
  return problem;
}

double largest(const std::vector<double>& beta) {
  double size = 0;
  for (const double entry : beta) size = std::max(size, std::abs(entry));
  return size;
}

// Flatness 1/2 |w|^2 of the hard-margin problem against the dual with a box of `kept` times its largest multiplier
// (0: no box at all).
engine::Check hard_margin_duality(double kept) {
  const engine::Layout layout(hard_margin_blocks());
  engine::IdentityProblem problem = over(layout);
  const auto boxed = [kept](const Regression& hard, const svr::Solution& solution) {
    Regression data = hard;
    if (kept > 0) data.box = kept * largest(solution.beta);
    return data;
  };
  problem.sides = [boxed](const Inputs& inputs) -> engine::IdentitySides {
    const Regression hard = regression(inputs, samples, dimension, false);
    const auto solution = solve(hard);
    if (!solution || largest(solution->beta) == 0) return {{std::nan("")}, {0}};
    const auto dual = solve(boxed(hard, *solution));
    if (!dual) return {{std::nan("")}, {0}};
    double quadratic = 0;
    for (std::size_t j = 0; j < samples; ++j) quadratic += solution->beta[j] * solution->fitted[j];
    return {{quadratic / 2}, {dual->dual}, 2 * samples * largest(solution->beta) * solution->scale};
  };
  problem.ball_sides = [boxed](const Inputs& inputs) -> engine::IdentityBallSides {
    const Regression hard = regression(inputs, samples, dimension, false);
    const auto rounded = solve(hard);
    const auto exact = solve_exactly(hard);
    if (!rounded || !exact || largest(rounded->beta) == 0) return {{Ball(0)}, {Ball(0)}, false};
    const auto dual = solve_exactly(boxed(hard, *rounded));
    if (!dual) return {{Ball(0)}, {Ball(0)}, false};
    return {{exact->weight_norm_squared() / Ball(2)}, {dual->dual()}};
  };
  return guarded_identity(std::move(problem));
}

// |w|^2 of the solution is not above |w|^2 of another function inside the tube: the solution for a narrower tube.
engine::Check flattest_inside_the_tube(double factor) {
  auto blocks = hard_margin_blocks();
  blocks.push_back({"shrink", 1, 0.1, 0.9999});
  const engine::Layout layout(blocks);
  engine::InequalityProblem problem;
  search_over(problem, layout);
  const auto narrower = [](Regression data, const Inputs& inputs) {
    data.epsilon *= inputs.scalar("shrink");
    return data;
  };
  problem.sides = [narrower, factor](const Inputs& inputs) -> engine::Sides {
    const Regression data = regression(inputs, samples, dimension, false);
    const auto one = solve(data);
    const auto two = solve(narrower(data, inputs));
    if (!one || !two || !(two->dual > 1e-10)) return {std::nan(""), 0};
    return {factor * one->dual, two->dual};  // both equal 1/2 |w|^2
  };
  problem.ball_sides = [narrower, factor](const Inputs& inputs) -> engine::BallSides {
    const Regression data = regression(inputs, samples, dimension, false);
    const auto one = solve_exactly(data);
    const auto two = solve_exactly(narrower(data, inputs));
    if (!one || !two) return {Ball(0), Ball(0), false};
    return {Ball(factor) * one->weight_norm_squared(), two->weight_norm_squared()};
  };
  problem.evaluations = 2500;
  return guarded_inequality(std::move(problem));
}

// The dual without box at values v (or at `multiple` times the optimal ones) against its optimum, for given targets.
engine::Check any_values(double multiple) {
  auto blocks = hard_margin_blocks();
  if (multiple == 0) blocks.push_back({"v", samples, -3, 3});
  const engine::Layout layout(blocks);
  engine::IdentityProblem problem = over(layout);
  problem.ball_sides = [multiple](const Inputs& inputs) -> engine::IdentityBallSides {
    const auto exact = solve_exactly(regression(inputs, samples, dimension, false));
    if (!exact) return {{Ball(0)}, {Ball(0)}, false};
    rigor::BallVector beta;
    for (std::size_t j = 0; j < samples; ++j) {
      beta.push_back(multiple == 0 ? exact->h[j] * Ball(values(inputs, "v", samples)[j])
                                   : Ball(multiple) * exact->optimum.beta[j]);
    }
    return {{svr::dual_objective(exact->problem, beta)}, {exact->primal()}};
  };
  problem.evaluations = 600;
  return guarded_identity(std::move(problem));
}

engine::Claim hard_margin_claim() {
  engine::Claim claim;
  claim.statement = {
      .id = "primal-dual/thm-1-relaxed-box",
      .label = "Thm 1 (\"relax the boundness constraint\")",
      .title = "Dropping the box on v is the hard-margin problem C = infinity",
      .kind = engine::Kind::existence,
      .tex =
          R"(\max_{\beta}\ y^\top\beta - \epsilon\|\beta\|_1 - \tfrac12\beta^\top K\beta \ =\ \min_w \tfrac12\|w\|^2 \ \text{ s.t. } |y_j - \langle w,\Psi_j\rangle| \le \epsilon)",
      .assumptions = {"keys pairwise distinct, so that some function meets the tube; else both sides are infinite",
                      "b = 0", "the targets are given and the multipliers are optimal for them"},
      .expected = engine::Verdict::supported,
      .note =
          "True, but not what is needed: a finite C at or above the largest multiplier gives the same solution (exact "
          "penalty), and for given targets one v and not any v is obtained. See the readings below.",
      .depends_on = {"primal-dual/remark-1-values", "primal-dual/thm-1-form"}};
  claim.check = engine::composite(
      {{"hard margin equals dual without box", engine::Kind::optimality, hard_margin_duality(0)},
       {"flattest inside the tube", engine::Kind::universal_inequality, flattest_inside_the_tube(1)}});
  claim.near_misses = {{"a box 1 percent below the largest multiplier kept", 0.01,
                        engine::composite({{"hard margin equals dual without box", engine::Kind::optimality,
                                            hard_margin_duality(0.99)}})},
                       {"flatter by 1 percent", 0.01,
                        engine::composite({{"flattest inside the tube", engine::Kind::universal_inequality,
                                            flattest_inside_the_tube(1.01)}})}};
  return claim;
}

engine::Claim any_values_claim() {
  engine::Claim claim;
  claim.statement = {
      .id = "primal-dual/thm-1-any-values",
      .label = "Thm 1 (\"relax the boundness constraint\"; any v for given targets)",
      .title = "Without the box any values v solve the regression with the given targets",
      .kind = engine::Kind::optimality,
      .tex =
          R"(\forall v:\ y^\top\beta - \epsilon\|\beta\|_1 - \tfrac12\beta^\top K\beta = \max \quad\text{at } \beta_j = h(k_j) v_j)",
      .assumptions = {"keys and targets given, b = 0, C = infinity"},
      .expected = engine::Verdict::refuted,
      .printed = false,
      .amends = "primal-dual/thm-1-relaxed-box",
      .note =
          "Not asserted in the text, and needed to be excluded: the reading under which an attention layer, whose "
          "values are W_V x_j, would solve the regression problem that it was derived from. The dual without box is "
          "strictly concave in beta for distinct keys: up to the "
          "tube, the targets fix v.",
      .depends_on = {"primal-dual/thm-1-relaxed-box"}};
  claim.check = any_values(0);
  claim.near_hits = {{"the optimal values", 1, any_values(1)}};
  return claim;
}

engine::Check exactly_when_box_allows(const TargetRule& rule, double factor) {
  return engine::composite(
      {{"C >= max_j h(k_j)|v_j| suffices", engine::Kind::optimality, prescribed_values_are_optimal(rule)},
       {"C < max_j h(k_j)|v_j| never does", engine::Kind::universal_inequality, improvable_outside_the_box(factor)}});
}

}  // namespace

engine::Claims thm_1_box() {
  engine::Claim exact;
  exact.statement = {
      .id = "primal-dual/thm-1-values-and-box",
      .label = "Thm 1 (which values, which C)",
      .title = "Values v solve Eq 5 for some targets if and only if C >= max_j h(k_j)|v_j|",
      .kind = engine::Kind::optimality,
      .tex =
          R"(\big(\exists y:\ \beta_j = h(k_j)v_j \text{ solves Eq 5}\big) \iff C \ge \max_j h(k_j)|v_j|, \qquad\text{e.g. } y_j = f(k_j) + \epsilon\,\mathrm{sign}(v_j))",
      .assumptions = {"b = 0", "only if: keys pairwise distinct"},
      .expected = engine::Verdict::supported,
      .printed = false,
      .amends = "primal-dual/thm-1-any-values",
      .note =
          "The box need not be dropped: v is free because the targets are, and C is finite. The targets depend on all "
          "keys and values of the sequence."};
  exact.check = exactly_when_box_allows({}, 1);
  exact.near_misses = {
      {"targets 1 percent of epsilon outside the tube", 0.01, exactly_when_box_allows({.tube = 1.01}, 1)},
      {"improvement beyond the box larger by 1 percent", 0.01, exactly_when_box_allows({}, 1.01)}};

  engine::Claim solves;
  solves.statement = {
      .id = "primal-dual/abstract-solves",
      .label = "Abstract / Contribution 1 (attention \"solves\" an SVR problem)",
      .title = "Every softmax attention is the solution of some support vector regression",
      .kind = engine::Kind::existence,
      .tex =
          R"(\forall k_1,\dots,k_N,\ v_1,\dots,v_N\ \exists\, y, \epsilon, C:\quad x \mapsto \sum_j \mathrm{softmax}(x^\top k_j/\sqrt D)\, v_j \ \text{ solves Eq 5 with } b = 0)",
      .assumptions = {"targets, epsilon and C may be chosen after the keys and values",
                      "b = 0; one output dimension at a time, with C the largest over d"},
      .expected = engine::Verdict::supported,
      .note =
          "Established by construction, y_j = f(k_j) + epsilon sign(v_j). The regression problem is a description of "
          "the layer after the fact: its targets are made from the layer's own output and its values, and are not data "
          "that the layer fits.",
      .depends_on = {"primal-dual/thm-1-form", "primal-dual/thm-1-relaxed-box"}};
  solves.check = prescribed_values_are_optimal({});
  solves.near_misses = {
      {"targets 1 percent of epsilon outside the tube", 0.01, prescribed_values_are_optimal({.tube = 1.01})},
      {"targets 1 percent of epsilon inside the tube", 0.01, prescribed_values_are_optimal({.tube = 0.99})},
      {"targets equal to the values", 1, prescribed_values_are_optimal({.values_as_targets = true})}};

  engine::Claim inside;
  inside.statement = {
      .id = "primal-dual/abstract-nothing-inside-the-tube",
      .label = "Abstract / Contribution 1 (sparsity)",
      .title = "A key with a value other than 0 is never fitted to better than epsilon",
      .kind = engine::Kind::universal_inequality,
      .tex =
          R"(v_j \ne 0 \ \Rightarrow\ |y_j - f(k_j)| \ge \epsilon \ \text{ at a solution: else } P \text{ falls by at least } t|\beta_j| - \tfrac12 t^2\|u_j\|^2,\ t = \min(\epsilon - |y_j - f(k_j)|, |\beta_j|/\|u_j\|^2))",
      .assumptions = {"epsilon > 0, b = 0", "u_j in the span of the features with <u_j, Psi_i> = 1 for i = j, else 0"},
      .expected = engine::Verdict::supported,
      .printed = false,
      .amends = "primal-dual/abstract-solves",
      .note =
          "Support vectors are sparse, attention values are not: a layer in which no v_j is 0 solves only problems in "
          "which not a single training pair is fitted with the epsilon precision that the problem asks for."};
  inside.check = improvable_inside_the_tube(1);
  inside.near_misses = {{"improvement larger by 1 percent", 0.01, improvable_inside_the_tube(1.01)}};
  return {hard_margin_claim(), any_values_claim(), exact, solves, inside};
}

}  // namespace attest::primal_dual
