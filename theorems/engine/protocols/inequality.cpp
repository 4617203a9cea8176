#include "theorems/engine/protocols/inequality.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>

#include "kernels/search/adversarial.hpp"
#include "kernels/search/minimal_witness.hpp"
#include "theorems/engine/protocols/domain.hpp"
#include "theorems/engine/protocols/self_test.hpp"

namespace attest::engine {
namespace {

using SharedProblem = std::shared_ptr<const InequalityProblem>;

SharedProblem checked(InequalityProblem problem, const char* protocol) {
  if (problem.lower.empty() || problem.lower.size() != problem.upper.size())
    throw std::invalid_argument(std::string(protocol) + ": lower and upper must have the same positive length");
  if (!problem.decode || !problem.sides || !problem.ball_sides)
    throw std::invalid_argument(std::string(protocol) + ": decode, sides and ball_sides must all be given");
  return std::make_shared<const InequalityProblem>(std::move(problem));
}

search::Options search_options(const InequalityProblem& problem, const Context& context) {
  search::Options options;
  options.seed = context.seed;
  options.key = context.key;
  options.evaluations = context.evaluations(problem.evaluations);
  options.threads = context.threads;
  return options;
}

/// x rounded to few and short numbers that convince as x does.
Inputs shortened(const InequalityProblem& problem, const std::vector<double>& x, const Context& context) {
  const Violation found = violation(problem.relation, problem.ball_sides(problem.decode(x)));
  return problem.decode(search::shorten_witness(x, [&](std::span<const double> candidate) {
    context.poll();
    if (!in_box(candidate, problem.lower, problem.upper)) return false;
    const Inputs inputs = problem.decode(candidate);
    return decide(problem.relation, problem.ball_sides, inputs).decision == BallDecision::violated &&
           convinces(violation(problem.relation, problem.ball_sides(inputs)), found);
  }));
}

/// The slack that the search minimises. Doubles are fast and mostly right; where they claim a violation above rounding
/// and below `doubtful`, so small that lost digits could have made it, the balls' midpoints are taken instead: else the
/// search runs after rounding errors.
double searched_slack(const InequalityProblem& problem, const Inputs& inputs, double doubtful, SelfTestWatch& watch) {
  constexpr double rounding = 1e-12;  // below this a negative slack is an equality to within a few operations
  const Sides sides = problem.sides(inputs);
  const double slack = relative_slack(problem.relation, sides);
  if (!std::isnan(slack)) watch.see({&sides.lhs, 1}, {&sides.rhs, 1}, slack);
  if (!(slack < -rounding && slack > -doubtful)) return slack;
  const BallSides balls = problem.ball_sides(inputs);
  // Where every violation is looked at, a point whose assumptions are not certain cannot be a witness: no point to
  // lead.
  if (!balls.assumptions_hold) return std::isinf(doubtful) ? std::numeric_limits<double>::quiet_NaN() : slack;
  return relative_slack(problem.relation, {balls.lhs.mid(), balls.rhs.mid(), balls.scale});
}

Evidence run_inequality(const InequalityProblem& problem, const Context& context) {
  const auto violated = [&](const Inputs& inputs) {
    return decide(problem.relation, problem.ball_sides, inputs).decision == BallDecision::violated;
  };
  SelfTestWatch watch;
  const auto search_with = [&](double doubtful, std::int64_t share) {
    search::Problem target;
    target.lower = problem.lower;
    target.upper = problem.upper;
    target.corners = problem.corners;
    target.slack = [&problem, &context, &watch, doubtful](std::span<const double> x) {
      context.poll();
      return searched_slack(problem, problem.decode(x), doubtful, watch);
    };
    search::Options options = search_options(problem, context);
    options.evaluations = std::max<std::int64_t>(1, options.evaluations / share);
    return search::minimise(target, options);
  };
  const auto confirmed = [&](const search::Result& result) {
    return result.admissible > 0 && violated(problem.decode(result.argmin));
  };
  constexpr double seldom_lost_digits = 1e-2;  // a larger violation is seldom made of lost digits
  search::Result found;
  // Where one violation is enough, a small search finds most of them.
  constexpr std::int64_t small_search = 8;
  if (context.stop_at_violation) found = search_with(seldom_lost_digits, small_search);
  if (!context.stop_at_violation || !confirmed(found)) {
    found = search_with(seldom_lost_digits, 1);
    if (found.least_slack < -seldom_lost_digits && !confirmed(found))
      found = search_with(std::numeric_limits<double>::infinity(), 1);  // here it was: all are looked at in balls
  }

  InequalityEvidence evidence;
  evidence.evaluations = found.evaluations;
  evidence.admissible = found.admissible;
  evidence.least_slack = found.least_slack;
  evidence.starts = found.starts;
  evidence.slack_by_corners = found.corners.least_slack;
  evidence.slack_by_random = found.random.least_slack;
  evidence.slack_by_local = found.local.least_slack;
  evidence.self_test = watch.result(problem.exact_rewriting);
  if (found.admissible > 0) {
    evidence.slack_at = problem.decode(found.argmin);
    const BallVerdict at_least = decide(problem.relation, problem.ball_sides, evidence.slack_at);
    const BallSides balls = problem.ball_sides(evidence.slack_at);
    evidence.ball_slack = relative_slack(problem.relation, {balls.lhs.mid(), balls.rhs.mid(), balls.scale});
    evidence.tie_at_least_slack =
        at_least.decision != BallDecision::violated && attained(problem.ball_sides, evidence.slack_at);
    if (at_least.decision == BallDecision::violated) {
      const Inputs inputs = context.stop_at_violation ? evidence.slack_at : shortened(problem, found.argmin, context);
      evidence.witness = make_witness(inputs, problem.relation, decide(problem.relation, problem.ball_sides, inputs));
    }
  }
  return {evidence};
}

/// The relation whose violation is certain exactly where `relation` certainly holds.
Relation opposite(Relation relation) {
  if (relation == Relation::equal)
    throw std::invalid_argument("an existence claim needs an inequality: equality at a point cannot be searched for");
  return rigor::denied(relation);
}

Evidence run_existence(const InequalityProblem& problem, const Context& context) {
  InequalityProblem turned = problem;
  turned.relation = opposite(problem.relation);
  const Evidence searched = run_inequality(turned, context);
  const auto& inner = std::get<InequalityEvidence>(searched.body);
  ExistenceEvidence evidence;
  evidence.evaluations = inner.evaluations;
  evidence.admissible = inner.admissible;
  evidence.witness = inner.witness;
  if (evidence.witness) evidence.witness->relation = problem.relation;
  return {evidence};
}

}  // namespace

Check inequality(InequalityProblem problem) {
  const auto shared = checked(std::move(problem), "inequality");
  return {
      .protocol =
          "adversarial search (structured corners, random draws from several families and scales, local optimisation "
          "from the best starts) for a point that violates the inequality; a candidate counts only when ball "
          "arithmetic "
          "confirms it",
      .run = [shared](const Context& context) { return run_inequality(*shared, context); },
      .replay =
          [shared](const Witness& witness, const Context&) {
            require_shape(witness.inputs, shape_of_box(shared->lower, shared->upper, shared->decode));
            return replay_sides(witness, shared->relation, shared->ball_sides, false);
          },
      .domain =
          [shared] { return domain_of_box(shared->lower, shared->upper, shared->decode, shared->corners.size()); }};
}

Check existence(InequalityProblem problem) {
  const auto shared = checked(std::move(problem), "existence");
  opposite(shared->relation);
  return {.protocol = "search for a point with the claimed property, established in ball arithmetic",
          .run = [shared](const Context& context) { return run_existence(*shared, context); },
          .replay =
              [shared](const Witness& witness, const Context&) {
                require_shape(witness.inputs, shape_of_box(shared->lower, shared->upper, shared->decode));
                return replay_sides(witness, shared->relation, shared->ball_sides, true);
              },
          .domain =
              [shared] { return domain_of_box(shared->lower, shared->upper, shared->decode, shared->corners.size()); }};
}

}  // namespace attest::engine
