// What C does in Eq 5: it trades flatness against residuals beyond the tube, until it does nothing more.
#include <algorithm>
#include <cmath>
#include <string>

#include "theorems/engine/claim.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/identity.hpp"
#include "theorems/engine/protocols/inequality.hpp"
#include "theorems/engine/protocols/layout.hpp"
#include "theorems/primal_dual/regression.hpp"
#include "theorems/primal_dual/two_sides.hpp"

namespace attest::primal_dual {
namespace {

using engine::Inputs;
using rigor::Ball;

constexpr std::size_t samples = 4;
constexpr std::size_t dimension = 2;

// Targets, tube and kernel are of order 1 here; smaller |w|^2 and slacks are left to the balls, since doubles resolve
// little of them.
constexpr double least_resolved = 1e-3;

enum class Quantity { flatness, slack };

Regression with_larger_box(Regression data, const Inputs& inputs) {
  data.box *= 1 + inputs.scalar("growth");
  return data;
}

double weight_norm_squared(const Regression& data, const svr::Solution& solution) {
  double sum = 0;
  for (std::size_t j = 0; j < data.samples(); ++j) sum += solution.beta[j] * (solution.fitted[j] - solution.bias);
  return sum;
}

// Only samples at a bound leave the tube: the rest of the residuals are rounding.
double slack(const Regression& data, const svr::Solution& solution) {
  double sum = 0;
  for (std::size_t j = 0; j < data.samples(); ++j) {
    if (std::abs(solution.beta[j]) < data.box) continue;
    sum += std::max(std::abs(data.targets[j] - solution.fitted[j]) - data.epsilon, 0.0);
  }
  return sum;
}

// `factor` |w(C)|^2 <= |w(C')|^2, or `factor` S(C') <= S(C), for C' = (1 + growth) C.
engine::Check monotone(Quantity quantity, double factor) {
  const engine::Layout layout({{"keys", samples * dimension, -1.5, 1.5},
                               {"targets", samples, -3, 3},
                               {"epsilon", 1, 0.01, 1},
                               {"C", 1, 0.05, 50},
                               {"growth", 1, 0.001, 1}});
  engine::InequalityProblem problem;
  search_over(problem, layout);
  problem.sides = [quantity, factor](const Inputs& inputs) -> engine::Sides {
    const Regression tight = regression(inputs, samples, dimension, true);
    const Regression loose = with_larger_box(tight, inputs);
    const auto at_tight = solve(tight);
    const auto at_loose = solve(loose);
    if (!at_tight || !at_loose) return {std::nan(""), 0};
    if (quantity == Quantity::flatness) {
      const double flatter = weight_norm_squared(tight, *at_tight);
      if (!(flatter > least_resolved)) return {std::nan(""), 0};
      return {factor * flatter, weight_norm_squared(loose, *at_loose)};
    }
    const double larger = slack(tight, *at_tight);
    if (!(larger > least_resolved)) return {std::nan(""), 0};
    return {factor * slack(loose, *at_loose), larger};
  };
  problem.ball_sides = [quantity, factor](const Inputs& inputs) -> engine::BallSides {
    const Regression tight = regression(inputs, samples, dimension, true);
    const auto at_tight = solve_exactly(tight);
    const auto at_loose = solve_exactly(with_larger_box(tight, inputs));
    if (!at_tight || !at_loose) return {Ball(0), Ball(0), false};
    if (quantity == Quantity::flatness) {
      return {Ball(factor) * at_tight->weight_norm_squared(), at_loose->weight_norm_squared()};
    }
    return {Ball(factor) * at_loose->slack(), at_tight->slack()};
  };
  problem.evaluations = 5000;
  return guarded_inequality(std::move(problem));
}

// Largest multiplier of the hard-margin problem, in doubles: a number from which a C is made.
std::optional<double> largest_multiplier(const Regression& data) {
  Regression hard = data;
  hard.box = svr::hard_margin;
  const auto solution = solve(hard);
  if (!solution) return std::nullopt;
  double largest = 0;
  for (const double beta : solution->beta) largest = std::max(largest, std::abs(beta));
  return largest > 0 ? std::optional(largest) : std::nullopt;
}

// Value of Eq 5 with C = (1 + margin) max_j |beta_j(infinity)| against the hard-margin value.
engine::Check exact_penalty(double least_margin, double greatest_margin) {
  const engine::Layout layout({{"keys", samples * dimension, -1.5, 1.5},
                               {"targets", samples, -3, 3},
                               {"epsilon", 1, 0.05, 1},
                               {"margin", 1, least_margin, greatest_margin}});
  const auto bounded = [](const Inputs& inputs) -> std::optional<Regression> {
    Regression data = regression(inputs, samples, dimension, false);
    const auto largest = largest_multiplier(data);
    if (!largest) return std::nullopt;
    data.box = (1 + inputs.scalar("margin")) * *largest;
    return data;
  };
  engine::IdentityProblem problem;
  search_over(problem, layout);
  problem.sides = [bounded](const Inputs& inputs) -> engine::IdentitySides {
    const auto data = bounded(inputs);
    if (!data) return {{std::nan("")}, {0}};
    Regression hard = *data;
    hard.box = svr::hard_margin;
    const auto one = solve(*data);
    const auto two = solve(hard);
    if (!one || !two) return {{std::nan("")}, {0}};
    return {{one->dual}, {two->dual}, samples * data->box * std::max(one->scale, two->scale)};
  };
  problem.ball_sides = [bounded](const Inputs& inputs) -> engine::IdentityBallSides {
    const auto data = bounded(inputs);
    if (!data) return {{Ball(0)}, {Ball(0)}, false};
    Regression hard = *data;
    hard.box = svr::hard_margin;
    const auto one = solve_exactly(*data);
    const auto two = solve_exactly(hard);
    if (!one || !two) return {{Ball(0)}, {Ball(0)}, false};
    return {{one->primal()}, {two->primal()}};
  };
  // Each dual value is within 2 N C residual of its optimum, the residual below 1e-13 of the solver's scale.
  problem.rounding_bound = 1e-12;
  problem.evaluations = 2500;
  return guarded_identity(std::move(problem));
}

// |w|^2 and the slack of one example over C, on both sides of its largest hard-margin multiplier.
engine::Figure trade_off() {
  const Regression hard{
      {1, 0.5, -1, 1, 0.25, -1.25, -0.5, -0.5}, dimension, {1, -1, 0.5, 1.5}, 0.1, svr::hard_margin, false};
  const double largest = largest_multiplier(hard).value_or(std::nan(""));
  engine::Figure figure;
  figure.name = "primal-dual-role-of-c";
  figure.title = "Flatness and residual beyond the tube over C";
  figure.x_label = "C";
  figure.y_label = "optimal value";
  figure.x_log = true;
  engine::Series flat{"|w|^2", {}, {}};
  engine::Series beyond{"sum of slacks", {}, {}};
  constexpr int places = 60;
  for (int i = 0; i <= places; ++i) {
    Regression data = hard;
    data.box = largest * std::pow(10.0, 0.05 * i - 2.51);  // 0.003 to 3 times the largest multiplier
    const auto solution = solve(data);
    if (!solution) continue;
    flat.x.push_back(data.box);
    flat.y.push_back(weight_norm_squared(data, *solution));
    beyond.x.push_back(data.box);
    beyond.y.push_back(slack(data, *solution));
  }
  figure.series = {std::move(flat), std::move(beyond)};
  figure.caption = "Four keys in the plane, epsilon = 0.1, b = 0. Past the largest hard-margin multiplier, C = " +
                   std::to_string(largest) + ", neither changes: the penalty is exact.";
  return figure;
}

engine::Check with_figure(engine::Check check) {
  check.run = [run = std::move(check.run)](const engine::Context& context) {
    engine::Evidence evidence = run(context);
    evidence.figures.push_back(trade_off());
    return evidence;
  };
  return check;
}

}  // namespace

engine::Claims eq_5_box() {
  engine::Claim role;
  role.statement = {
      .id = "primal-dual/eq-5-role-of-c",
      .label = "Eq 5 (role of C)",
      .title = "A larger C gives less flatness and less residual beyond the tube",
      .kind = engine::Kind::universal_inequality,
      .tex =
          R"(C < C' \ \Rightarrow\ \|w_{C}\|^2 \le \|w_{C'}\|^2 \ \text{ and }\ \textstyle\sum_j (\xi_j+\tilde\xi_j)_{C'} \le \sum_j (\xi_j+\tilde\xi_j)_{C})",
      .assumptions = {"the same keys, targets and epsilon", "judged at proven optima; a degenerate one is skipped"},
      .expected = engine::Verdict::supported,
      .note = "Both are equalities once C exceeds the largest multiplier of the hard-margin problem.",
      .depends_on = {"primal-dual/eq-5-convexity"}};
  role.check = with_figure(engine::composite(
      {{"flatness", engine::Kind::universal_inequality, monotone(Quantity::flatness, 1)},
       {"residuals beyond the tube", engine::Kind::universal_inequality, monotone(Quantity::slack, 1)}}));
  role.near_misses = {
      {"|w|^2 grows by at least 1 percent", 0.01, monotone(Quantity::flatness, 1.01), "flatness"},
      {"the slack shrinks by at least 1 percent", 0.01, monotone(Quantity::slack, 1.01), "residuals beyond the tube"}};

  engine::Claim penalty;
  penalty.statement = {
      .id = "primal-dual/eq-5-exact-penalty",
      .label = "Eq 5 (exact penalty)",
      .title = "From the largest hard-margin multiplier on, C has no effect",
      .kind = engine::Kind::optimality,
      .tex =
          R"(C \ge \max_j |\beta_j^{\infty}| \ \Rightarrow\ \min P_C = \min P_\infty, \qquad \beta^\infty \text{ the dual solution for } C = \infty)",
      .assumptions = {"b = 0", "the hard-margin problem has a solution"},
      .expected = engine::Verdict::supported,
      .printed = false,
      .amends = "primal-dual/eq-5-role-of-c",
      .note = "So dropping the box is never needed to reach a hard-margin solution: a finite C does."};
  penalty.check = exact_penalty(0.001, 1);
  penalty.near_misses = {{"C one percent below the largest multiplier", 0.01, exact_penalty(-0.01, -0.01)}};
  return {role, penalty};
}

}  // namespace attest::primal_dual
