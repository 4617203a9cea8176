#include "theorems/engine/protocols/identity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>

#include "kernels/random/stream.hpp"
#include "kernels/search/adversarial.hpp"
#include "kernels/search/minimal_witness.hpp"
#include "theorems/engine/protocols/domain.hpp"
#include "theorems/engine/protocols/self_test.hpp"

namespace attest::engine {
namespace {

/// Samples of the stream that the ball points are drawn from, far above those of the search.
constexpr std::uint64_t ball_sample_base = std::uint64_t{1} << 40U;

double residual(const IdentitySides& sides) {
  if (sides.lhs.size() != sides.rhs.size() || sides.lhs.empty())
    throw std::logic_error("identity: the two sides must have the same positive number of components");
  double difference = 0;
  double scale = sides.scale;
  for (std::size_t i = 0; i < sides.lhs.size(); ++i) {
    if (!std::isfinite(sides.lhs[i]) || !std::isfinite(sides.rhs[i])) return std::numeric_limits<double>::quiet_NaN();
    difference = std::max(difference, std::abs(sides.lhs[i] - sides.rhs[i]));
    if (sides.scale == 0) scale = std::max({scale, std::abs(sides.lhs[i]), std::abs(sides.rhs[i])});
  }
  return difference == 0 ? 0 : difference / scale;
}

/// The component of an identity whose two balls are farthest apart relative to their radii.
EvaluateBallSides worst_component(const std::function<IdentityBallSides(const Inputs&)>& ball_sides) {
  return [&ball_sides](const Inputs& inputs) {
    IdentityBallSides sides = ball_sides(inputs);
    if (sides.lhs.size() != sides.rhs.size() || sides.lhs.empty())
      throw std::logic_error("identity: the two sides must have the same positive number of components");
    std::size_t worst = 0;
    double worst_gap = -1;
    for (std::size_t i = 0; i < sides.lhs.size(); ++i) {
      const rigor::Ball gap = sides.lhs[i] - sides.rhs[i];
      const double size = gap.contains_zero() ? 0 : std::abs(gap.mid());
      if (size > worst_gap) {
        worst_gap = size;
        worst = i;
      }
    }
    return BallSides{std::move(sides.lhs[worst]), std::move(sides.rhs[worst]), sides.assumptions_hold, sides.scale};
  };
}

/// Bits to which the two sides agree at `inputs`, relative to the larger side or to the size of the terms that the
/// problem declares, as its residual in doubles is: sides that cancel to nearly 0 are not known better than their
/// terms. 128 when both sides are the same number exactly.
int agreement_bits(const IdentityProblem& problem, const Inputs& inputs) {
  const IdentityBallSides sides = problem.ball_sides(inputs);
  const double declared = problem.sides(inputs).scale;
  double scale = std::isfinite(declared) ? declared : 0;
  double gap = 0;
  for (std::size_t i = 0; i < sides.lhs.size(); ++i) {
    const double difference = rigor::abs(sides.lhs[i] - sides.rhs[i]).upper();
    if (!std::isfinite(difference)) return 0;  // an enclosure of everything agrees with anything
    scale = std::max({scale, std::abs(sides.lhs[i].mid()), std::abs(sides.rhs[i].mid())});
    gap = std::max(gap, difference);
  }
  if (gap == 0) return 128;
  if (scale == 0) return 0;  // enclosures around 0 that tell nothing but their own width
  return static_cast<int>(std::floor(std::log2(scale / gap)));
}

/// By how much the two sides differ at `inputs`, relative to the size of the terms as the residual in doubles is.
Violation violation_at(const IdentityProblem& problem, const EvaluateBallSides& worst, const Inputs& inputs) {
  BallSides sides = worst(inputs);
  const double declared = problem.sides(inputs).scale;
  if (sides.scale == 0 && std::isfinite(declared)) sides.scale = declared;
  return violation(Relation::equal, sides);
}

/// x rounded to few and short numbers that still show half of the best relative difference, near x's own scale.
std::vector<double> shortened(const IdentityProblem& problem, const EvaluateBallSides& worst,
                              const std::vector<double>& x, double best_relative, double absolute,
                              const Context& context) {
  return search::shorten_witness(x, [&](std::span<const double> candidate) {
    context.poll();
    if (!in_box(candidate, problem.lower, problem.upper)) return false;
    const Inputs inputs = problem.decode(candidate);
    return decide(Relation::equal, worst, inputs).decision == BallDecision::violated &&
           convinces(violation_at(problem, worst, inputs), {best_relative, absolute});
  });
}

/// The author's corners, what the search found worst, and random points.
std::vector<std::vector<double>> points_for_balls(const IdentityProblem& problem, const search::Result& found,
                                                  const Context& context) {
  std::vector<std::vector<double>> points = problem.corners;
  if (found.admissible > 0) points.push_back(found.argmin);
  const std::int64_t random_points = context.evaluations(problem.ball_points);
  for (std::int64_t i = 0; i < random_points; ++i) {
    random::Stream stream(context.seed, context.key, ball_sample_base + static_cast<std::uint64_t>(i));
    std::vector<double> x(problem.lower.size());
    for (std::size_t j = 0; j < x.size(); ++j) x[j] = stream.uniform(problem.lower[j], problem.upper[j]);
    points.push_back(std::move(x));
  }
  return points;
}

/// A point at which both sides certainly differ.
struct Found {
  std::vector<double> x;
  Violation size;
};

/// The first that shows at least half of the largest difference, shortened. The author's corners come first: of the
/// violations that convince theirs are the ones a reader follows most easily.
std::vector<double> clearest(const IdentityProblem& problem, const EvaluateBallSides& worst,
                             const std::vector<Found>& violations, const Context& context) {
  const auto best = std::max_element(violations.begin(), violations.end(),
                                     [](const Found& a, const Found& b) { return a.size.relative < b.size.relative; });
  const auto first = std::find_if(violations.begin(), violations.end(),
                                  [&](const Found& one) { return one.size.relative >= best->size.relative / 2; });
  if (context.stop_at_violation) return first->x;
  return shortened(problem, worst, first->x, best->size.relative, first->size.absolute, context);
}

Evidence run_identity(const IdentityProblem& problem, const Context& context) {
  SelfTestWatch watch;
  search::Problem target;
  target.lower = problem.lower;
  target.upper = problem.upper;
  target.corners = problem.corners;
  target.slack = [&](std::span<const double> x) {
    context.poll();
    const IdentitySides sides = problem.sides(problem.decode(x));
    const double slack = -residual(sides);
    if (!std::isnan(slack)) watch.see(sides.lhs, sides.rhs, slack);
    return slack;
  };
  search::Options options;
  options.seed = context.seed;
  options.key = context.key;
  options.evaluations = context.evaluations(problem.evaluations);
  options.threads = context.threads;
  const search::Result found = search::minimise(target, options);

  IdentityEvidence evidence;
  evidence.evaluations = found.evaluations;
  evidence.admissible = found.admissible;
  evidence.largest_residual = found.admissible > 0 ? -found.least_slack : 0;
  evidence.rounding_bound = problem.rounding_bound;
  evidence.accuracy_bits = 128;
  evidence.self_test = watch.result(problem.exact_rewriting);

  const EvaluateBallSides worst = worst_component(problem.ball_sides);
  std::vector<Found> violations;
  for (const auto& x : points_for_balls(problem, found, context)) {
    context.poll();
    const Inputs inputs = problem.decode(x);
    const BallDecision decision = decide(Relation::equal, worst, inputs).decision;
    if (decision == BallDecision::assumptions_fail) continue;
    ++evidence.ball_points;
    if (decision != BallDecision::violated) {
      evidence.accuracy_bits = std::min(evidence.accuracy_bits, agreement_bits(problem, inputs));
      continue;
    }
    violations.push_back({x, violation_at(problem, worst, inputs)});
    if (context.stop_at_violation) break;
  }
  if (!violations.empty()) {
    const Inputs inputs = problem.decode(clearest(problem, worst, violations, context));
    evidence.witness = make_witness(inputs, Relation::equal, decide(Relation::equal, worst, inputs));
  }
  return {evidence};
}

}  // namespace

Check identity(IdentityProblem problem) {
  if (problem.lower.empty() || problem.lower.size() != problem.upper.size())
    throw std::invalid_argument("identity: lower and upper must have the same positive length");
  if (!problem.decode || !problem.sides || !problem.ball_sides)
    throw std::invalid_argument("identity: decode, sides and ball_sides must all be given");
  if (!(problem.rounding_bound >= 0) || !std::isfinite(problem.rounding_bound))
    throw std::invalid_argument("identity: the rounding bound must be a finite number >= 0");
  const auto shared = std::make_shared<const IdentityProblem>(std::move(problem));
  return {.protocol =
              "residual of the two sides relative to the size of their terms at structured, random and adversarial "
              "points, in double precision and as enclosures in ball arithmetic",
          .run = [shared](const Context& context) { return run_identity(*shared, context); },
          .replay =
              [shared](const Witness& witness, const Context&) {
                require_shape(witness.inputs, shape_of_box(shared->lower, shared->upper, shared->decode));
                return replay_sides(witness, Relation::equal, worst_component(shared->ball_sides), false);
              },
          .domain =
              [shared] { return domain_of_box(shared->lower, shared->upper, shared->decode, shared->corners.size()); }};
}

}  // namespace attest::engine
