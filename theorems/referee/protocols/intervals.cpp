#include "theorems/referee/protocols/intervals.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "theorems/language/evaluation/decide.hpp"
#include "theorems/referee/proof/relations.hpp"

namespace attest::referee {
namespace {

using engine::Verdict;
using language::Truth;

constexpr double unknown = 1e300;  ///< the share of an interval without ends

/// What the confidence intervals leave open at the tightest points, relative; 0 where all hold.
double open_share(std::vector<Trial>& trials, const engine::Context& context) {
  double open = 0;
  for (Trial& trial : trials) {
    if (trial.expectations->means() == Means::none) continue;
    std::size_t looked_at = 0;
    for (const search::Candidate& candidate : trial.harvest.best.candidates()) {
      if (++looked_at > 2) break;
      context.poll();
      const auto enclosure = trial.expectations->enclosures(context.effort);
      const std::vector<rigor::Ball> expected = enclosure(candidate.point);
      double width = 0;
      // Written so that a middle beyond all doubles, which makes the quotient no number, counts as wide.
      for (const rigor::Ball& each : expected) {
        const double share = each.radius() / std::max(std::abs(each.mid()), 1e-300);
        width = std::max(width, each.is_finite() && share < unknown ? share : unknown);
      }
      const rigor::PrecisionScope precision(128);
      language::BallEvaluator balls(*trial.program);
      balls.run(std::vector<rigor::Ball>(candidate.point.begin(), candidate.point.end()), expected);
      const Truth truth = language::decide(balls, trial.program->claim());
      // What fails here was not a violation that could be confirmed: the interval's error or a condition is at fault.
      if (truth == Truth::fails) open = std::max(open, 1.0);
      if (truth == Truth::open) open = std::max(open, width);
    }
  }
  return open;
}

/// A law whose mean, or second moment, may be infinite, and an expectation (not a probability) of its numbers.
bool may_be_infinite(const Trial& trial) {
  const auto heavy = [](const language::RawInput& input) {
    return input.random && (input.law.name == "cauchy" || input.law.name == "student");
  };
  return std::ranges::any_of(trial.program->inputs(), heavy) &&
         std::ranges::any_of(trial.program->expectations(),
                             [](const language::Expectation& each) { return !each.probability; });
}

}  // namespace

bool intervals_tell(std::vector<Trial>& trials, const engine::Context& context, Outcome& outcome) {
  const double open = open_share(trials, context);
  outcome.method = trials.front().expectations->certain() ? "adversarial search and quadrature"
                                                          : "adversarial search and confidence sequences";
  // An equality, or a bound that is attained, stays within every interval: it counts where the interval is narrow.
  constexpr double narrow = 2e-5;
  const bool heavy = std::ranges::any_of(trials, [](const Trial& trial) {
    return may_be_infinite(trial) && !trial.expectations->certain() && !trial.expectations->derived();
  });
  if (open == unknown || heavy) {
    conclude(outcome, Verdict::undecided, outcome.method,
             "its expectations were not enclosed, and may be infinite for all that samples tell",
             "an integrand without poles whose tails ball arithmetic encloses");
    return false;
  }
  if (open > narrow) {
    conclude(outcome, Verdict::undecided, outcome.method,
             fmt::format("the intervals of its expectations, {:.2g} % wide, hold both answers", 100 * open),
             "a larger budget: narrower intervals");
    return false;
  }
  // No interval tells a strict relation from equality, however narrow: E[g^2] < 1.
  if (open > 0 && has_strict_relation(trials.front().program->claim())) {
    conclude(outcome, Verdict::undecided, outcome.method,
             fmt::format("the relation is strict, and at the tightest points its sides agree to within {:.2g} %",
                         100 * open),
             "a relation that allows equality");
    return false;
  }
  if (open > 0)
    outcome.remarks.push_back(fmt::format("at the tightest points the sides agree to within {:.2g} %", 100 * open));
  return true;
}

}  // namespace attest::referee
