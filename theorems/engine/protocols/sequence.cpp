#include "theorems/engine/protocols/sequence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>

#include <fmt/format.h>

#include "kernels/statistics/regression.hpp"
#include "theorems/engine/protocols/domain.hpp"
#include "theorems/engine/protocols/sides.hpp"

namespace attest::engine {
namespace {

using rigor::Ball;

constexpr double infinity = std::numeric_limits<double>::infinity();

bool on_exponent(Asymptotics claim) { return claim == Asymptotics::same_order || claim == Asymptotics::at_most; }

/// What is compared with the claim at grid place n: the value, the ratio, or log|ratio|.
Ball quantity(const SequenceProblem& problem, double n) {
  Ball value = problem.value(n);
  if (problem.claim == Asymptotics::limit) return value;
  const Ball ratio = value / problem.reference(n);
  return on_exponent(problem.claim) ? rigor::log(rigor::abs(ratio)) : ratio;
}

/// Growth exponent of the ratio between two places: difference of log|ratio| over difference of log n.
Ball slope(const Ball& log_ratio_first, const Ball& log_ratio_second, double first, double second) {
  return (log_ratio_second - log_ratio_first) / (rigor::log(Ball(second)) - rigor::log(Ball(first)));
}

double claimed_value(const SequenceProblem& problem) {
  switch (problem.claim) {
    case Asymptotics::limit:
      return problem.reference(problem.n.back()).mid();
    case Asymptotics::equivalent:
      return 1;
    case Asymptotics::same_order:
    case Asymptotics::at_most:
      return 0;
  }
  throw std::logic_error("asymptotic claim without a value");
}

/// The claim lets the deviation vanish; a stored place shows that it does not, there and beyond. Only the problem's own
/// bound counts, at a place of the problem's own grid: the file gives the place and nothing else.
BallSides witness_sides(const SequenceProblem& problem, const Inputs& inputs) {
  const double n = inputs.scalar("n");
  const bool on_grid = std::find(problem.n.begin(), problem.n.end(), n) != problem.n.end();
  if (!problem.beyond || !on_grid) return {Ball(0), Ball(0), false};
  return {problem.beyond->deviation(n), Ball(0), true};
}

struct Limit {
  double estimate;
  Interval interval;
};

/// Aitken's limit with its error; on a geometric grid n_k = n_0 r^k an error c n^{-q} is geometric in k, which the
/// formula removes for any q. A sequence whose last differences do not shrink by at least 2 percent a step does not
/// converge as far as this grid can tell: its interval runs from the last value in the direction of travel, so that it
/// can exclude a claim after it but never support one. The last three values are known to within `radius`.
Limit extrapolated(const std::vector<double>& y, double radius) {
  constexpr double slowest_contraction = 0.98;
  constexpr double ahead = 10;
  const std::size_t m = y.size() - 1;
  const double last = y[m] - y[m - 1];
  const double before = y[m - 1] - y[m - 2];
  const double rounding =
      8 * std::numeric_limits<double>::epsilon() * std::max(std::abs(y[m]), std::abs(y[m - 1])) + radius;
  if (std::abs(last) > rounding && std::abs(last) > slowest_contraction * std::abs(before))
    return {y[m], {std::min(y[m], y[m] + ahead * last), std::max(y[m], y[m] + ahead * last)}};
  const statistics::Extrapolation limit = statistics::aitken(y);
  // The derivatives of the formula with respect to its three values are (r^2, -2 r, 1) / (1 - r)^2.
  const double r = before == 0 ? 0 : std::clamp(last / before, -slowest_contraction, slowest_contraction);
  const double enlarged = (1 + std::abs(r)) * (1 + std::abs(r)) / ((1 - r) * (1 - r)) * rounding;
  return {limit.limit, {limit.limit - limit.error - enlarged, limit.limit + limit.error + enlarged}};
}

Evidence run_sequence(const SequenceProblem& problem, const Context& context) {
  SequenceEvidence evidence;
  evidence.n = problem.n;
  evidence.claimed = claimed_value(problem);
  evidence.resolution = problem.resolution;
  evidence.at_most = problem.claim == Asymptotics::at_most;
  std::vector<Ball> balls;
  for (const double n : problem.n) {
    context.poll();
    balls.push_back(quantity(problem, n));
    evidence.ratio.push_back(balls.back().mid());
  }
  evidence.quantity = on_exponent(problem.claim) ? "growth exponent" : "limit";
  if (on_exponent(problem.claim)) {
    std::vector<Ball> slopes;
    for (std::size_t k = 1; k < balls.size(); ++k)
      slopes.push_back(slope(balls[k - 1], balls[k], problem.n[k - 1], problem.n[k]));
    balls = std::move(slopes);
  }
  std::vector<double> judged;
  for (const Ball& ball : balls) {
    if (!ball.is_finite()) {
      evidence.widest = infinity;
      return {evidence};
    }
    judged.push_back(ball.mid());
  }
  for (std::size_t k = balls.size() - 3; k < balls.size(); ++k)
    evidence.widest = std::max(evidence.widest, balls[k].radius());
  const Limit limit = extrapolated(judged, evidence.widest);
  evidence.estimate = limit.estimate;
  evidence.interval = limit.interval;

  if (problem.beyond && against_trend(evidence)) {
    evidence.beyond = problem.beyond->why;
    Inputs inputs = problem.inputs;
    inputs.add("n", {problem.n.back()});
    const auto sides = [&problem](const Inputs& at) { return witness_sides(problem, at); };
    const BallVerdict verdict = decide(Relation::less_equal, sides, inputs);
    if (verdict.decision == BallDecision::violated)
      evidence.witness = make_witness(inputs, Relation::less_equal, verdict);
  }
  return {evidence};
}

/// "n = 16, 32, ..., 4096 (9 places)", and the fixed parameters.
std::string domain_of(const SequenceProblem& problem) {
  const std::string fixed = inputs_in_words(problem.inputs);
  return fmt::format("n = {:.6g}, {:.6g}, ..., {:.6g} ({} places){}{}", problem.n[0], problem.n[1], problem.n.back(),
                     problem.n.size(), fixed.empty() ? "" : "; ", fixed);
}

}  // namespace

Check sequence(SequenceProblem problem) {
  constexpr std::size_t least_places = 5;
  if (problem.n.size() < least_places)
    throw std::invalid_argument("sequence: the grid needs at least 5 places to be extrapolated");
  for (std::size_t k = 1; k < problem.n.size(); ++k)
    if (!(problem.n[k] > problem.n[k - 1]) || !(problem.n[k - 1] > 0))
      throw std::invalid_argument("sequence: the grid must be positive and increasing");
  if (!problem.value || !problem.reference) throw std::invalid_argument("sequence: value and reference must be given");
  if (!(problem.resolution > 0)) throw std::invalid_argument("sequence: the resolution must be positive");
  const auto shared = std::make_shared<const SequenceProblem>(std::move(problem));
  if (shared->beyond && (shared->beyond->why.empty() || !shared->beyond->deviation))
    throw std::invalid_argument("sequence: a bound beyond the grid needs its argument and its deviation");
  return {
      .protocol =
          "enclosures along a geometric grid, extrapolated; no finite grid refutes a limit, so a refutation needs a "
          "bound on the deviation that holds beyond the grid",
      .run = [shared](const Context& context) { return run_sequence(*shared, context); },
      .replay =
          [shared](const Witness& witness, const Context&) {
            return replay_sides(
                witness, Relation::less_equal, [&](const Inputs& at) { return witness_sides(*shared, at); }, false);
          },
      .domain = [shared] { return domain_of(*shared); }};
}

std::vector<double> geometric_grid(double first, double factor, int places) {
  std::vector<double> grid;
  double n = first;
  for (int k = 0; k < places; ++k) {
    grid.push_back(n);
    n *= factor;
  }
  return grid;
}

}  // namespace attest::engine
