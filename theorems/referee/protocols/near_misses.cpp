#include <algorithm>
#include <cmath>
#include <set>

#include "kernels/parallel/blocks.hpp"
#include "theorems/language/problem.hpp"
#include "theorems/language/read.hpp"
#include "theorems/referee/proof/confirm.hpp"
#include "theorems/referee/protocols/protocols.hpp"
#include "theorems/referee/question/question.hpp"
#include "theorems/referee/question/variations.hpp"

namespace attest::referee {
namespace {

/// The trials from whose tightest points a near-miss is judged: the tightest, the smallest and the largest choices.
std::vector<std::size_t> telling_trials(const std::vector<Trial>& trials, std::size_t most) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < trials.size(); ++i)
    if (!trials[i].harvest.best.empty()) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return trials[a].harvest.best.candidates().front().slack < trials[b].harvest.best.candidates().front().slack;
  });
  if (order.size() > most) {
    order.resize(most - 1);
    if (std::find(order.begin(), order.end(), trials.size() - 1) == order.end()) order.push_back(trials.size() - 1);
  }
  return order;
}

bool confirmed(const Trial& trial, const engine::Context& context) {
  std::size_t looked_at = 0;
  for (const search::Candidate& candidate : trial.harvest.best.candidates()) {
    if (candidate.slack > trial.expectations->resolution() || ++looked_at > 4) return false;
    if (confirm(*trial.program, candidate.point, trial.expectations->enclosures(0.25 * context.effort)).violates())
      return true;
  }
  return false;
}

/// Searches the changed statement at the choices of some trials, from their tightest points where they fit.
bool is_refuted(const Variation& variation, const std::vector<Trial>& trials, const std::vector<std::size_t>& telling,
                const engine::Context& context, double flops) {
  const language::Statement statement = balanced(variation.statement);
  for (const std::size_t t : telling) {
    context.poll();
    Sizes one;
    one.tried = {trials[t].choices};
    std::vector<Trial> changed;
    try {
      changed = make_trials(statement, one, context);
    } catch (const language::Problem&) {
      // Without the assumption the formula means nothing at these sizes: no near-miss.
      continue;
    }
    Trial& trial = changed.front();
    std::vector<std::vector<double>> seeds;
    if (trial.program->dimension() == trials[t].program->dimension())
      for (const search::Candidate& candidate : trials[t].harvest.best.candidates()) seeds.push_back(candidate.point);
    if (seeds.size() > 12) seeds.resize(12);
    Landscape landscape(*trial.program, trial.expectations->values());
    landscape.set_ball_checks(40);
    const double share = flops / static_cast<double>(telling.size());
    const auto evaluations = static_cast<std::int64_t>(std::clamp(share / trial.work, 40.0, 4000.0));
    // A number changed a little is refuted near the tight points, if at all; a dropped assumption anywhere.
    const bool near = variation.change == Change::constant || variation.change == Change::exponent;
    trial.harvest = near ? search_from(landscape, context, 0x900 + t, std::min<std::int64_t>(evaluations, 600), seeds)
                         : search_at(landscape, context, 0x900 + t, {evaluations / 2, evaluations / 2, 4}, seeds);
    if (confirmed(trial, context)) return true;
  }
  return false;
}

/// An assumption without which a short look refuted nothing, judged as a statement that is typed in would be. A claim
/// of the ledger has a fraction of that effort, and keeps the short look.
Assumption judged_without(const Variation& dropped, const engine::Context& context, Outcome& outcome) {
  Assumption assumption{dropped.name};
  if (context.effort < 1) return assumption;
  engine::Context part = context;
  part.effort = 0.3 * context.effort;
  Outcome without;
  try {
    judge_universal(dropped.statement, part, false, without);
  } catch (const language::Problem&) {
    assumption.undecided = true;  // without it the formula means nothing
    return assumption;
  }
  outcome.evaluations += without.evaluations;
  assumption.needed = without.verdict == engine::Verdict::refuted;
  assumption.undecided = !assumption.needed && !without.stands();
  return assumption;
}

}  // namespace

void judge_limit_variations(const language::Statement& statement, const engine::Context& context, Outcome& outcome) {
  for (const Variation& each : variations(statement)) {
    if (each.change != Change::constant && each.change != Change::exponent) continue;
    context.poll();
    Outcome changed;
    try {
      judge_limit(each.statement, context, changed);
    } catch (const language::Problem&) {
      continue;  // with another exponent the formula means nothing where it is evaluated: no near-miss
    }
    outcome.evaluations += changed.evaluations;
    outcome.near_misses.push_back(
        {each.name, language::normal_form(each.statement), each.delta, changed.verdict == engine::Verdict::refuted});
  }
}

void judge_variations(const language::Statement& statement, const engine::Context& context,
                      const std::vector<Trial>& trials, Outcome& outcome) {
  const std::vector<Variation> all = variations(statement);
  const std::vector<std::size_t> telling = telling_trials(trials, 4);
  if (telling.empty()) return;
  const double flops =
      0.6 * context.effort * flops_of_effort / static_cast<double>(std::max<std::size_t>(6, all.size()));
  std::vector<char> found(all.size(), 0);
  parallel::for_each_block(static_cast<std::int64_t>(all.size()), context.threads, [&](std::int64_t block) {
    const auto i = static_cast<std::size_t>(block);
    found[i] = is_refuted(all[i], trials, telling, context, flops) ? 1 : 0;
  });
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool caught = found[i] != 0;
    if (all[i].change == Change::condition || all[i].change == Change::set) {
      outcome.assumptions.push_back(caught ? Assumption{all[i].name, true} : judged_without(all[i], context, outcome));
      continue;
    }
    outcome.near_misses.push_back({all[i].name, language::normal_form(all[i].statement), all[i].delta, caught});
  }
}

}  // namespace attest::referee
