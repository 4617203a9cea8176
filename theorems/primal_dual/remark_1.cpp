// Remark 1: the box on the multipliers, their complementarity, and the box on the values.
#include <algorithm>
#include <cmath>

#include "theorems/engine/claim.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/identity.hpp"
#include "theorems/engine/protocols/inequality.hpp"
#include "theorems/engine/protocols/layout.hpp"
#include "theorems/primal_dual/improvable.hpp"
#include "theorems/primal_dual/regression.hpp"
#include "theorems/primal_dual/two_sides.hpp"

namespace attest::primal_dual {
namespace {

using engine::Inputs;
using rigor::Ball;

constexpr std::size_t samples = 3;
constexpr std::size_t dimension = 2;

std::vector<engine::Block> data_blocks(double least_epsilon, double greatest_epsilon) {
  return {{"keys", samples * dimension, -1.5, 1.5},
          {"targets", samples, -5, 5},
          {"epsilon", 1, least_epsilon, greatest_epsilon},
          {"C", 1, 0.1, 10}};
}

engine::InequalityProblem over(const engine::Layout& layout, double evaluations) {
  engine::InequalityProblem problem;
  search_over(problem, layout);
  problem.evaluations = evaluations;
  return problem;
}

// max_j max(alpha_j, alpha~_j) <= factor C at the optimum.
engine::Check multipliers_in_box(double factor) {
  auto problem = over(engine::Layout(data_blocks(0, 1)), 4000);
  problem.sides = [factor](const Inputs& inputs) -> engine::Sides {
    const Regression data = regression(inputs, samples, dimension, true);
    const auto solution = solve(data);
    if (!solution) return {std::nan(""), 0};
    const double largest = std::max(*std::max_element(solution->alpha.begin(), solution->alpha.end()),
                                    *std::max_element(solution->alpha_tilde.begin(), solution->alpha_tilde.end()));
    return {largest, factor * data.box};
  };
  problem.ball_sides = [factor](const Inputs& inputs) -> engine::BallSides {
    const auto exact = solve_exactly(regression(inputs, samples, dimension, true));
    if (!exact) return {Ball(0), Ball(0), false};
    return {rigor::norm_inf(exact->optimum.beta), Ball(factor) * exact->problem.box};
  };
  return guarded_inequality(std::move(problem));
}

// |v_j| against factor C / h(k_j) at the sample that comes nearest; h(k_j) replaced by N where asked.
engine::Check values_in_box(double factor, bool h_is_count) {
  auto problem = over(engine::Layout(data_blocks(0, 1)), 4000);
  problem.sides = [factor, h_is_count](const Inputs& inputs) -> engine::Sides {
    const Regression data = regression(inputs, samples, dimension, true);
    const auto solution = solve(data);
    if (!solution) return {std::nan(""), 0};
    const auto h = Keys<double>(data.keys, dimension).normalisers();
    engine::Sides worst{0, 1};
    for (std::size_t j = 0; j < samples; ++j) {
      const double value = std::abs(solution->beta[j] / h[j]);
      const double bound = factor * data.box / (h_is_count ? static_cast<double>(samples) : h[j]);
      if (value * worst.rhs >= worst.lhs * bound) worst = {value, bound};
    }
    return worst;
  };
  problem.ball_sides = [factor, h_is_count](const Inputs& inputs) -> engine::BallSides {
    const auto exact = solve_exactly(regression(inputs, samples, dimension, true));
    if (!exact) return {Ball(0), Ball(0), false};
    const rigor::BallVector v = exact->values();
    engine::BallSides worst{Ball(0), Ball(1)};
    for (std::size_t j = 0; j < samples; ++j) {
      const Ball bound = Ball(factor) * exact->problem.box / (h_is_count ? Ball(samples) : exact->h[j]);
      if ((rigor::abs(v[j]) / bound).mid() >= (worst.lhs / worst.rhs).mid()) worst = {rigor::abs(v[j]), bound};
    }
    return worst;
  };
  return guarded_inequality(std::move(problem));
}

// A dual pair near the optimum: alpha = max(beta, 0) + m, alpha~ = max(-beta, 0) + m with beta = beta* + delta.
struct DualPair {
  Ball objective;  // y'(alpha - alpha~) - epsilon sum(alpha + alpha~) - 1/2 (alpha - alpha~)' K (alpha - alpha~)
  Ball overlap;    // sum_j min(alpha_j, alpha~_j)
  Ball optimum;    // the optimal value of Eq 5
  bool feasible = true;
};

std::optional<DualPair> dual_pair(const Inputs& inputs) {
  const auto exact = solve_exactly(regression(inputs, samples, dimension, false));
  if (!exact) return std::nullopt;
  DualPair pair;
  rigor::BallVector beta;
  Ball total;
  for (std::size_t j = 0; j < samples; ++j) {
    const Ball difference = exact->optimum.beta[j] + Ball(values(inputs, "delta", samples)[j]);
    const Ball overlap(values(inputs, "overlap", samples)[j]);
    const Ball alpha = rigor::max(difference, Ball(0)) + overlap;
    const Ball alpha_tilde = rigor::max(-difference, Ball(0)) + overlap;
    pair.feasible = pair.feasible && rigor::certainly_less_equal(rigor::max(alpha, alpha_tilde), exact->problem.box);
    beta.push_back(alpha - alpha_tilde);
    total += alpha + alpha_tilde;
    pair.overlap += overlap;
  }
  pair.objective = rigor::dot(exact->problem.targets, beta) - exact->problem.epsilon * total -
                   rigor::dot(rigor::multiply(exact->problem.gram, beta), beta) / Ball(2);
  pair.optimum = exact->primal();
  return pair;
}

// D(alpha, alpha~) + (2 factor epsilon + extra) sum_j min(alpha_j, alpha~_j) <= optimum, for every feasible pair.
engine::Check complementary(double least_epsilon, double greatest_epsilon, double factor, double extra) {
  auto blocks = data_blocks(least_epsilon, greatest_epsilon);
  blocks.push_back({"delta", samples, -0.25, 0.25});
  blocks.push_back({"overlap", samples, 0, 1});
  const engine::Layout layout(blocks);
  auto problem = over(layout, 4000);
  problem.ball_sides = [factor, extra](const Inputs& inputs) -> engine::BallSides {
    const auto pair = dual_pair(inputs);
    if (!pair || !pair->feasible) return {Ball(0), Ball(0), false};
    const Ball price = Ball(2 * factor) * Ball(inputs.scalar("epsilon")) + Ball(extra);
    return {pair->objective + price * pair->overlap, pair->optimum};
  };
  const double epsilon = std::min(greatest_epsilon, 0.25);
  problem.corners = {layout.point(Inputs{{"keys", {1, 0, 0, 1, -1, -1}},
                                         {"targets", {1, -1, 0.5}},
                                         {"epsilon", {epsilon}},
                                         {"C", {10}},
                                         {"delta", {0, 0, 0}},
                                         {"overlap", {0.25, 0.25, 0.25}}})};
  return guarded_inequality(std::move(problem));
}

// D(alpha, alpha~) = optimum for alpha - alpha~ optimal and any overlap.
engine::Check free_overlap(double epsilon) {
  // Small targets and a large C: most optima leave room for the overlap below C.
  const engine::Layout layout({{"keys", samples * dimension, -1.5, 1.5},
                               {"targets", samples, -1, 1},
                               {"epsilon", 1, epsilon, epsilon},
                               {"C", 1, 20, 200},
                               {"delta", samples, 0, 0},
                               {"overlap", samples, 0.01, 1}});
  engine::IdentityProblem problem;
  search_over(problem, layout);
  problem.ball_sides = [](const Inputs& inputs) -> engine::IdentityBallSides {
    const auto pair = dual_pair(inputs);
    if (!pair || !pair->feasible) return {{Ball(0)}, {Ball(0)}, false};
    return {{pair->objective}, {pair->optimum}};
  };
  problem.exact_rewriting = "both doubles are rounded from enclosures of different formulas";
  problem.rounding_bound = midpoint_rounding;
  problem.evaluations = 1000;
  return guarded_identity(std::move(problem));
}

}  // namespace

engine::Claims remark_1() {
  engine::Claim box;
  box.statement = {
      .id = "primal-dual/remark-1-multipliers",
      .label = "Remark 1 (alpha, alpha~ in [0,C])",
      .title = "The multipliers of an optimum lie in [0, C]",
      .kind = engine::Kind::universal_inequality,
      .tex = R"(0 \le \alpha_j(d), \tilde\alpha_j(d) \le C)",
      .assumptions = {"the multipliers belong to an optimum of Eq 5"},
      .expected = engine::Verdict::supported,
      .note =
          "Two parts: the bound at proven optima, where it is attained by every sample outside the tube; and, without "
          "any dual, that a weight vector with a coefficient beyond C is improved by a known amount.",
      .depends_on = {"primal-dual/eq-6-9"}};
  box.check =
      engine::composite({{"at the optimum", engine::Kind::universal_inequality, multipliers_in_box(1)},
                         {"beyond the box", engine::Kind::universal_inequality, improvable_outside_the_box(1)}});
  box.near_misses = {{"bound 0.99 C", 0.01, multipliers_in_box(0.99), "at the optimum"},
                     {"improvement larger by 1 percent", 0.01, improvable_outside_the_box(1.01), "beyond the box"}};

  engine::Claim complementarity;
  complementarity.statement = {
      .id = "primal-dual/remark-1-complementarity",
      .label = "Remark 1 (alpha*alpha~=0)",
      .title = "At a dual optimum alpha_j and alpha~_j are not both positive",
      .kind = engine::Kind::optimality,
      .tex =
          R"(D(\alpha,\tilde\alpha) \le \min P - 2\epsilon \sum_j \min(\alpha_j, \tilde\alpha_j), \quad\text{so } \alpha_j\tilde\alpha_j = 0 \text{ at an optimum})",
      .assumptions = {"epsilon > 0 (not said in the paper)", "(alpha, alpha~) feasible for the dual; b = 0"},
      .expected = engine::Verdict::supported,
      .note =
          "Judged by the price of an overlap: a feasible pair with both positive misses the optimum by at least "
          "2 epsilon times the overlap. Nothing is left of this at epsilon = 0.",
      .depends_on = {"primal-dual/eq-6-9"}};
  complementarity.check =
      engine::composite({{"price of an overlap", engine::Kind::universal_inequality, complementary(0.01, 1, 1, 0)}});
  complementarity.near_misses = {
      {"price raised by 1 percent", 0.01, complementary(0.01, 1, 1.01, 0), "price of an overlap"},
      {"epsilon = 0 allowed, price 0.01", 1, complementary(0, 0, 1, 0.01), "price of an overlap"}};

  engine::Claim without_tube;
  without_tube.statement = {
      .id = "primal-dual/remark-1-complementarity-without-tube",
      .label = "Remark 1 (alpha*alpha~=0; epsilon = 0)",
      .title = "At epsilon = 0 an optimal pair stays optimal with any overlap added",
      .kind = engine::Kind::optimality,
      .tex =
          R"(\epsilon = 0,\ (\alpha,\tilde\alpha) \text{ dual optimal},\ m_j > 0 \ \Rightarrow\ D(\alpha+m,\tilde\alpha+m) = \min P \text{ although } (\alpha_j+m_j)(\tilde\alpha_j+m_j) > 0)",
      .assumptions = {"epsilon = 0", "alpha + m and alpha~ + m at most C"},
      .expected = engine::Verdict::supported,
      .printed = false,
      .amends = "primal-dual/remark-1-complementarity",
      .note = "Only alpha - alpha~ is determined by Eq 5 then; complementarity can be chosen but does not follow."};
  without_tube.check = free_overlap(0);
  without_tube.near_misses = {{"a tube of half width 0.01", 0.01, free_overlap(0.01)}};

  engine::Claim value_box;
  value_box.statement = {.id = "primal-dual/remark-1-values",
                         .label = "Remark 1 (v_j(d) in [-C/h(k_j), C/h(k_j)])",
                         .title = "The values lie in a box of half width C / h(k_j)",
                         .kind = engine::Kind::universal_inequality,
                         .tex = R"(|v_j(d)| \le C / h(k_j))",
                         .assumptions = {"h(k_j) > 0, as for the exponential kernel", "v_j from an optimum of Eq 5"},
                         .expected = engine::Verdict::supported,
                         .note = "Follows from the box on the multipliers alone; complementarity is not needed for it.",
                         .depends_on = {"primal-dual/remark-1-multipliers", "primal-dual/remark-1-complementarity"}};
  value_box.check =
      engine::composite({{"at the optimum", engine::Kind::universal_inequality, values_in_box(1, false)}});
  value_box.near_misses = {{"bound 0.99 C / h(k_j)", 0.01, values_in_box(0.99, false), "at the optimum"},
                           {"h(k_j) replaced by the number of keys", 1, values_in_box(1, true), "at the optimum"}};
  return {box, complementarity, without_tube, value_box};
}

}  // namespace attest::primal_dual
