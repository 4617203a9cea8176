#include "theorems/referee/trials/violations.hpp"

#include <algorithm>
#include <cmath>

#include "theorems/referee/points/points.hpp"
#include "theorems/referee/points/work.hpp"
#include "theorems/referee/proof/clear_witness.hpp"
#include "theorems/referee/proof/confirm.hpp"
#include "theorems/referee/proof/relations.hpp"

namespace attest::referee {
namespace {

bool one_point(const language::Program& program) {
  return std::ranges::all_of(program.inputs(), &language::RawInput::random);
}

/// Operations that one confirmation takes, expectations included.
double confirmation_work(const Trial& trial, const engine::Context& context) {
  const double once = ball_work_of(*trial.program);
  double random = 0;
  for (const language::RawInput& input : trial.program->inputs())
    if (input.random) random += static_cast<double>(input.raw.size());
  switch (trial.expectations->means()) {
    case Means::none:
    case Means::moments:
      return once;
    case Means::atoms:
      return once * std::exp2(random);
    case Means::quadrature:
      return std::max(200 * once, 0.5 * context.effort * flops_of_effort);
    case Means::samples:
      return std::max(1000 * trial.work / 256, 0.3 * context.effort * flops_of_effort);
  }
  return once;
}

}  // namespace

std::vector<Violation> confirmed_violations(std::vector<Trial>& trials, const engine::Context& context,
                                            std::size_t most) {
  std::vector<Violation> violations;
  // The small sizes come first. Once they have refuted the statement, large ones are looked at only where it is cheap.
  double left = 3 * context.effort * flops_of_effort;
  for (std::size_t t = 0; t < trials.size(); ++t) {
    Trial& trial = trials[t];
    const bool strict = has_strict_relation(trial.program->claim()), equality = has_equation(trial.program->claim());
    const bool random = trial.expectations->means() != Means::none;
    // Where doubles of an expectation are rough, points within their error of a violation are candidates too.
    // Where nothing but the random numbers moves there is one point, and its enclosure decides.
    const double reach = !random ? 0 : one_point(*trial.program) ? 1e300 : trial.expectations->resolution();
    const std::size_t here = random ? std::min<std::size_t>(most, equality ? 2 : 4) : most;
    std::size_t looked_at = 0, confirmed = 0;
    for (const search::Candidate& candidate : trial.harvest.best.candidates()) {
      if (looked_at == here || confirmed == 3) break;
      if (candidate.slack > reach || (!random && candidate.slack == 0 && !strict)) break;
      if (equality && !strict && !random && candidate.slack > -1e-15) break;
      const double cost = confirmation_work(trial, context);
      // Every size is looked at once, whatever it costs, unless the statement has fallen already.
      if (left < cost && (!violations.empty() || looked_at > 0)) break;
      left -= cost;
      context.poll();
      ++looked_at;
      const EnclosedExpectations expected = trial.expectations->enclosures(context.effort);
      // A confirmation by samples that rests on no derived bound needs a margin beyond doubt.
      const Confirmation found = confirm(*trial.program, candidate.point, expected);
      if (!found.violates()) continue;
      if (random && !trial.expectations->derived() && candidate.slack > -0.05) continue;
      ++confirmed;
      violations.push_back({t, candidate.point, candidate.slack});
    }
  }
  std::stable_sort(violations.begin(), violations.end(),
                   [](const Violation& a, const Violation& b) { return a.margin < b.margin; });
  return violations;
}

namespace {

/// Raw numbers of moderate size without structure, where nothing cancels or saturates.
std::vector<double> plain_point(const language::Program& program, random::Stream& stream) {
  const Bounds bounds = bounds_of(program);
  std::vector<double> raw(program.dimension());
  for (std::size_t k = 0; k < raw.size(); ++k) {
    const double lower = std::max(bounds.lower[k], -2.0), upper = std::min(bounds.upper[k], 2.0);
    const double between = 0.1 + 0.8 * stream.uniform();
    raw[k] = lower < upper ? lower + between * (upper - lower) : bounds.lower[k];
  }
  return raw;
}

}  // namespace

std::optional<std::string> fault_of_library(const std::vector<Trial>& trials, const engine::Context& context) {
  constexpr std::uint64_t points = 3;
  // What the smallest sizes take, whatever the budget.
  double left = std::max(1e8, 0.2 * context.effort * flops_of_effort);
  for (const Trial& trial : trials) {
    const double cost = static_cast<double>(points) * ball_work_of(*trial.program);
    if (left < cost || !calls_library(*trial.program)) continue;
    left -= cost;
    for (std::uint64_t k = 0; k < points; ++k) {
      random::Stream stream(context.seed, context.key, 0xfa017 + k);
      if (auto fault = library_fault(*trial.program, plain_point(*trial.program, stream))) return fault;
    }
  }
  return std::nullopt;
}

OpenViolation open_violation(const std::vector<Trial>& trials, const engine::Context& context) {
  for (const Trial& trial : trials) {
    if (trial.expectations->means() != Means::none) continue;
    // The tightest points, whose slack is 0 where the search asked balls and they did not confirm. Where balls do not
    // know a mechanism also plain ones: the search for an equation's violation ends where both sides agree there.
    const bool unknown = calls_unknown_mechanism(*trial.program);
    constexpr std::size_t most = 12, plain = 3;
    std::vector<std::vector<double>> points;
    for (const search::Candidate& candidate : trial.harvest.best.candidates())
      if (points.size() < most) points.push_back(candidate.point);
    const std::size_t tight = points.size();
    for (std::uint64_t k = 0; unknown && k < plain; ++k) {
      random::Stream stream(context.seed, context.key, 0x09e4 + k);
      points.push_back(plain_point(*trial.program, stream));
    }
    language::Evaluator doubles(*trial.program);
    for (std::size_t k = 0; k < points.size(); ++k) {
      doubles.run(points[k]);
      if (!(language::margin(doubles, trial.program->claim(), true) < -1e-9)) continue;
      const Confirmation found = confirm(*trial.program, points[k]);
      // In doubles the conditions hold at the points that the search found.
      if (k < tight && found.claim == language::Truth::fails && !found.admissible) return OpenViolation::condition;
      if (unknown && found.claim == language::Truth::open && found.admissible) return OpenViolation::side;
    }
  }
  return OpenViolation::none;
}

Violation clearest(const std::vector<Trial>& trials, const std::vector<Violation>& violations) {
  const double best = violations.front().margin;
  const Violation* chosen = &violations.front();
  for (const Violation& violation : violations)
    if (violation.margin <= best / 2 && violation.trial < chosen->trial) chosen = &violation;
  const Trial& trial = trials[chosen->trial];
  if (trial.expectations->means() != Means::none) return *chosen;
  Landscape landscape(*trial.program);
  landscape.set_ball_checks(0);
  const double enough = best / 2;
  const auto good_enough = [&](std::span<const double> raw) {
    if (!within_sets(*trial.program, raw)) return false;
    // Doubles first: they are quick, and what they deny is not a clear witness.
    landscape.evaluator().run(raw);
    if (!(language::margin(landscape.evaluator(), trial.program->claim(), true) <= enough)) return false;
    return confirm(*trial.program, raw).violates();
  };
  Violation clear = *chosen;
  if (!good_enough(clear.raw)) return clear;
  const auto most = static_cast<std::int64_t>(std::clamp(2e8 / (2 * ball_work_of(*trial.program)), 20.0, 4000.0));
  clear.raw = clear_witness(*trial.program, clear.raw, good_enough, most);
  return clear;
}

}  // namespace attest::referee
