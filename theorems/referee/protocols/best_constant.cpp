#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "theorems/language/make.hpp"
#include "theorems/referee/points/work.hpp"
#include "theorems/referee/proof/box_proof.hpp"
#include "theorems/referee/proof/closed_form.hpp"
#include "theorems/referee/proof/sign_proof.hpp"
#include "theorems/referee/protocols/constants.hpp"
#include "theorems/referee/protocols/protocols.hpp"
#include "theorems/referee/question/question.hpp"

namespace attest::referee {
namespace {

using engine::Verdict;
using language::make_number;
using language::Quantifier;

void report_no_demand(const SupremumSearch& search, const std::string& constant, Outcome& outcome) {
  if (admissible_of(search.trials()) == 0) {
    outcome.verdict = Verdict::vacuous;
    outcome.reason = "no point met the conditions";
    outcome.would_change = "a point that meets the conditions";
  } else {
    outcome.verdict = Verdict::undecided;
    outcome.reason = fmt::format(
        "no point was found that certainly demands more of {0} than its set has, or less: it may hold between two "
        "values of {0}, or for all",
        constant);
    outcome.would_change = "a larger budget";
  }
}

/// Whether a point demands more than every constant of the set, or the claim fails there whatever the constant is.
bool lies_beyond(const BestConstant& best, const Asked& asked) {
  if (!std::isfinite(best.found)) return true;
  return best.smallest ? best.found > asked.upper : best.found < asked.lower;
}

void report_beyond(const BestConstant& best, const std::string& constant, Outcome& outcome) {
  outcome.verdict = Verdict::refuted;
  if (!std::isfinite(best.found))
    outcome.reason = fmt::format("no {} is enough: at a point the claim fails whatever it is", constant);
  else if (!std::isfinite(best.not_refuted))
    outcome.reason = fmt::format("no {} {} {} is enough: with it the claim fails at a point", constant,
                                 best.smallest ? "up to" : "down to", best.found);
  else
    outcome.reason = fmt::format("no {} of the set is enough: a point demands {}", constant, best.found);
  outcome.would_change = fmt::format("a larger set for {}", constant);
  outcome.witness = best.witness;
  outcome.best = best;
}

/// A short exact number just beyond what was found is where the demands tend to.
void name_limit(BestConstant& best) {
  const double sign = best.found < 0 ? -1 : 1;
  constexpr double next_to_zero = 1e-200;
  if (std::abs(best.found) < next_to_zero) {
    best.closed_form = "0";
    best.extrapolated = best.not_refuted = 0;
    best.attained &= best.found == 0;
    return;
  }
  for (const double window : {1e-11, 1e-9, 1e-7, 2e-6}) {
    const auto form = closed_form(std::abs(best.found), window);
    if (!form) continue;
    const double value = sign * form->value;
    const double beyond_found = best.smallest ? value - best.found : best.found - value;
    if (beyond_found < -1e-14 * std::abs(value)) continue;
    best.closed_form = (sign < 0 ? "-" : "") + form->text;
    best.extrapolated = best.not_refuted = value;
    if (std::abs(value - best.found) > 1e-12 * std::abs(value)) best.attained = false;
    return;
  }
}

/// The statement with the constant at this value, judged.
Outcome judged_at(const language::Statement& original, const std::string& constant, double value,
                  const engine::Context& context) {
  language::Statement fixed = as_universal(original, Quantifier::best);
  for (language::Binder& binder : fixed.binders)
    if (std::ranges::find(binder.names, constant) != binder.names.end())
      binder.set = {.kind = language::SetKind::finite,
                    .args = {make_number(rigor::Rational::from_double(value))},
                    .place = binder.set.place};
  Outcome outcome;
  judge_universal(fixed, context, false, outcome);
  return outcome;
}

/// Points that the search for a demand passes by, as where doubles do not tell the sides apart, refute the constant as
/// they would the statement with it: then what stands between is found by bisection.
void hold_to_account(const language::Statement& original, const Asked& asked, const engine::Context& context,
                     BestConstant& best) {
  constexpr double beside = 1e-6;
  const double easier = best.smallest ? 1 : -1;
  const auto refuted_at = [&](double value) {
    const Outcome outcome = judged_at(original, best.name, value, context);
    if (outcome.verdict != Verdict::refuted) return false;
    best.found = value;
    best.witness = outcome.witness;
    return true;
  };
  if (!refuted_at(best.not_refuted + easier * beside * std::abs(best.not_refuted))) return;
  best.closed_form.clear();
  best.attained = false;
  const double end = best.smallest ? asked.upper : asked.lower;
  double stands = std::isfinite(end) ? end : best.found + easier * std::max(1.0, std::abs(best.found));
  for (int step = 0; refuted_at(stands); ++step) {
    if (std::isfinite(end) || step > 8) {  // lies beyond, or nearly
      best.extrapolated = best.not_refuted = easier * std::numeric_limits<double>::infinity();
      return;
    }
    stands += easier * 4 * std::max(1.0, std::abs(stands));
  }
  for (int step = 0; step < 24 && std::abs(stands - best.found) > beside * std::abs(stands); ++step) {
    const double fails = best.found, middle = (fails + stands) / 2;
    if (!refuted_at(middle)) stands = middle;
  }
  best.extrapolated = best.not_refuted = stands;
}

/// Whether the statement is proven for this constant at every size.
bool is_proven(const language::Statement& statement, const SupremumSearch& search, const std::string& constant,
               double value, const engine::Context& context) {
  const double share = 0.1 * context.effort * flops_of_effort / static_cast<double>(search.trials().size());
  return std::ranges::all_of(search.trials(), [&](const Trial& trial) {
    language::Choices choices = trial.choices;
    choices[constant] = value;
    const language::Program program = language::compile(statement, choices);
    const auto boxes = static_cast<std::int64_t>(std::clamp(share / (1.5 * ball_work_of(program)), 20.0, 50000.0));
    return prove_on_box(program, context, boxes).status == ProofStatus::certified || prove_by_signs(program, context);
  });
}

/// Certified where a proof shows the rest for the constant not refuted, or for one that is a millionth beyond.
void certify(const language::Statement& statement, const SupremumSearch& search, const std::string& constant,
             const engine::Context& context, BestConstant& best) {
  if (!search.sizes().exhaustive) return;
  for (const double slack : {0.0, 1e-9, 1e-6}) {
    const double value = best.not_refuted + (best.smallest ? 1 : -1) * slack * std::abs(best.not_refuted);
    if (!is_proven(statement, search, constant, value, context)) continue;
    best.certified = true;
    best.not_refuted = value;
    return;
  }
}

void judge_best_as_written(const language::Statement& original, const engine::Context& context, Outcome& outcome) {
  const language::Binder* binder = binder_of(original, Quantifier::best);
  const language::Statement statement = balanced(as_universal(original, Quantifier::best));
  const std::string& constant = binder->names.front();
  const SupremumSearch search(statement, constant, context, 1.0);
  outcome.evaluations += evaluations_of(search.trials());
  outcome.domain = domain_sentence(search.sizes(), search.trials());
  outcome.method = "adversarial search for the most demanding point";
  std::optional<BestConstant> best = search.result();
  if (!best) return report_no_demand(search, constant, outcome);
  if (lies_beyond(*best, *search.asked().front())) return report_beyond(*best, constant, outcome);
  name_limit(*best);
  certify(balanced(original), search, constant, context, *best);
  if (!best->certified) {
    hold_to_account(original, *search.asked().front(), context, *best);
    if (lies_beyond(*best, *search.asked().front()) || !std::isfinite(best->not_refuted))
      return report_beyond(*best, constant, outcome);
  }
  outcome.verdict = best->certified ? Verdict::certified : Verdict::supported;
  outcome.reason = fmt::format("{} {} {} is demanded at a point, and no point found demands {} than {}{}", constant,
                               best->smallest ? ">=" : "<=", best->found, best->smallest ? "more" : "less",
                               best->closed_form.empty() ? fmt::format("{}", best->not_refuted) : best->closed_form,
                               best->certified ? ", which is proven to be enough" : "");
  outcome.would_change = fmt::format("a point that demands {}", best->smallest ? "more" : "less");
  outcome.best = best;
}

}  // namespace

void judge_best(const language::Statement& original, const engine::Context& context, Outcome& outcome) {
  const auto met = with_equations_met(original);
  judge_best_as_written(met ? met->statement : original, context, outcome);
  if (met) say_met(*met, outcome);
}

}  // namespace attest::referee
