// What C does in Eq 5: it trades flatness against residuals beyond the tube. From which C on it does nothing more
// stands in eq_5_box.attest.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "theorems/engine/claim.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/inequality.hpp"
#include "theorems/engine/protocols/layout.hpp"
#include "theorems/primal_dual/regression.hpp"

namespace attest::primal_dual {
namespace {

using engine::Inputs;
using rigor::Ball;

constexpr std::size_t samples = 4;
constexpr std::size_t dimension = 2;

// Targets, tube and kernel are of order 1 here; smaller |w|^2 and slacks are left to the balls, since doubles resolve
// little of them.
constexpr double least_resolved = 1e-3;

// Bits that evaluations at an optimum work with, at least: keys that nearly coincide make kernel matrices of condition
// 1e20 and more, and as many digits are lost in the multipliers and again in the values made of them.
constexpr std::int64_t guarded_precision = 384;

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
  problem.lower = layout.lower();
  problem.upper = layout.upper();
  problem.decode = layout.decode();
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
    const rigor::PrecisionScope scope(std::max(guarded_precision, rigor::working_precision()));
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
  return engine::inequality(std::move(problem));
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

  return {role};
}

}  // namespace attest::primal_dual
