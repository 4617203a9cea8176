#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "theorems/language/evaluation/decide.hpp"
#include "theorems/language/read.hpp"
#include "theorems/referee/points/work.hpp"
#include "theorems/referee/proof/box_proof.hpp"
#include "theorems/referee/proof/confirm.hpp"
#include "theorems/referee/proof/relations.hpp"
#include "theorems/referee/proof/sign_proof.hpp"
#include "theorems/referee/protocols/by_algebra.hpp"
#include "theorems/referee/protocols/intervals.hpp"
#include "theorems/referee/protocols/protocols.hpp"
#include "theorems/referee/protocols/undefined_points.hpp"
#include "theorems/referee/question/question.hpp"
#include "theorems/referee/trials/enumeration.hpp"
#include "theorems/referee/trials/on_equations.hpp"
#include "theorems/referee/trials/other_sizes.hpp"
#include "theorems/referee/trials/probes.hpp"
#include "theorems/referee/trials/touching.hpp"

namespace attest::referee {
namespace {

using engine::Verdict;
using language::Truth;

/// The whole domain by branch and bound, choice by choice.
BoxProof prove(const std::vector<Trial>& trials, const engine::Context& context) {
  BoxProof all;
  all.status = ProofStatus::certified;
  all.vacuous = true;
  for (const Trial& trial : trials) {
    const double work = 1.5 * ball_work_of(*trial.program);
    const double share = 0.6 * context.effort * flops_of_effort / static_cast<double>(trials.size());
    const BoxProof one =
        prove_on_box(*trial.program, context, static_cast<std::int64_t>(std::clamp(share / work, 20.0, 200000.0)),
                     {.expansions = true});
    all.boxes += one.boxes;
    all.expanded += one.expanded;
    all.vacuous &= one.vacuous;
    if (one.status != ProofStatus::certified) {
      all.status = one.status;
      return all;
    }
  }
  return all;
}

/// The whole domain by the signs of polynomials, choice by choice.
bool shown_by_signs(const std::vector<Trial>& trials, const engine::Context& context) {
  return std::all_of(trials.begin(), trials.end(),
                     [&](const Trial& trial) { return prove_by_signs(*trial.program, context); });
}

/// The tightest point that says something: the least relative slack in balls where the sides are not next to 0. A
/// violation, should one of those looked at be one, which doubles took for equality.
std::optional<Violation> record_tightest(const std::vector<Trial>& trials, Outcome& outcome) {
  constexpr double next_to_zero = 1e-100;
  double left = 2e8;
  bool unknown = false;
  for (std::size_t t = 0; t < trials.size(); ++t) {
    const Trial& trial = trials[t];
    const bool random = trial.expectations->means() != Means::none;
    std::size_t looked_at = 0;
    for (const search::Candidate& candidate : trial.harvest.best.candidates()) {
      const double cost = ball_work_of(*trial.program) * (random ? 200 : 1);
      if (++looked_at > (random ? 1U : 5U) || (left < cost && outcome.tightest)) break;
      left -= cost;
      if (!random) {
        const Confirmation found = confirm(*trial.program, candidate.point);
        if (found.violates()) return Violation{t, candidate.point, candidate.slack};
        // In doubles a condition may hold where it does not, and the claim with it.
        if (found.excluded || found.claim == Truth::fails) continue;
      }
      const Point point =
          point_at(*trial.program, trial.choices, candidate.point, trial.expectations->enclosures(0.25));
      const double size = std::max(std::abs(std::atof(point.lhs.c_str())), std::abs(std::atof(point.rhs.c_str())));
      unknown |= std::isnan(point.relative_margin);
      if (!(size > next_to_zero) || std::isnan(point.relative_margin)) continue;
      if (!outcome.tightest || point.relative_margin < outcome.tightest->relative_margin) outcome.tightest = point;
    }
  }
  if (!outcome.tightest && unknown)
    outcome.remarks.emplace_back("its sides were evaluated in doubles alone: ball arithmetic does not enclose them");
  // A record that only samples know may lie below 0 by their error.
  if (outcome.tightest && !(outcome.tightest->relative_margin > 0)) outcome.tightest->relative_margin = 0;
  return std::nullopt;
}

void refute(const Sizes& sizes, std::vector<Trial>& trials, const std::vector<Violation>& violations,
            const engine::Context& context, Outcome& outcome) {
  const Violation clear = clearest(trials, violations);
  const Trial& trial = trials[clear.trial];
  outcome.verdict = Verdict::refuted;
  outcome.witness = point_at(*trial.program, trial.choices, clear.raw, trial.expectations->enclosures(context.effort));
  const bool random = trial.expectations->means() != Means::none;
  outcome.method =
      random && !trial.expectations->certain_at(clear.raw) ? "confidence sequence" : "witness in ball arithmetic";
  outcome.reason = fmt::format("it fails at a point: {} {} {} does not hold there", outcome.witness->lhs,
                               outcome.witness->relation, outcome.witness->rhs);
  if (random) outcome.remarks.push_back(trial.expectations->how());
  // Only at the smallest sizes: the statement may be meant beyond them. At none of the others doubles come near.
  constexpr double near = 1e-9;
  if (sizes.tried.size() > 1 && clear.trial == 0 && std::all_of(trials.begin() + 1, trials.end(), [&](const Trial& t) {
        return t.harvest.best.empty() || t.harvest.best.candidates().front().slack > near;
      }))
    outcome.remarks.push_back(fmt::format("it was refuted at {} only; at the other {} sizes tried it was not",
                                          shown(trial.choices), sizes.tried.size() - 1));
  outcome.would_change = "nothing: the stored numbers can be evaluated again";
}

/// Whether some size was searched at enough points for its number of variables, which without gradients are many.
bool searched_enough(const std::vector<Trial>& trials) {
  return std::any_of(trials.begin(), trials.end(), [](const Trial& t) {
    double free = 0;
    for (const language::RawInput& input : t.program->inputs())
      if (!input.random) free += static_cast<double>(input.raw.size());
    const bool led = t.expectations->means() == Means::none;
    return free == 0 || static_cast<double>(t.harvest.evaluations) >= (led ? 200 : 200 + 20 * free);
  });
}

/// The conditions were met by so few of the points, and the bound by none nearly, that the search says little.
bool hardly_admissible(const std::vector<Trial>& trials) {
  double least = 1e300;
  for (const Trial& trial : trials)
    if (!trial.harvest.best.empty()) least = std::min(least, trial.harvest.best.candidates().front().slack);
  constexpr double few = 0.2, near = 0.05;
  return least > near && static_cast<double>(admissible_of(trials)) < few * static_cast<double>(evaluations_of(trials));
}

/// Every case of a finite domain; false where none meets the conditions.
bool judge_cases(const Enumeration& all, Outcome& outcome) {
  if (!all.some_admissible) {
    conclude(outcome, Verdict::vacuous, "enumeration", "no case meets the conditions",
             "a condition that some case meets");
    return false;
  }
  if (all.all_hold)
    conclude(outcome, Verdict::certified, "enumeration",
             "every case was evaluated in ball arithmetic, or exactly where both sides are equal, and holds",
             "nothing on this domain");
  return true;
}

/// Where no point of the search met the conditions.
void judge_vacuity(const Sizes& sizes, std::vector<Trial>& trials, const engine::Context& context, Outcome& outcome) {
  const BoxProof proof = sizes.exhaustive ? prove(trials, context) : BoxProof{};
  const bool certain = proof.status == ProofStatus::certified && proof.vacuous;
  if (!certain && std::ranges::any_of(trials.front().program->conditions(), has_equation)) {
    conclude(outcome, Verdict::undecided, "adversarial search", "no point that was met satisfies its equations",
             "a recursion (where K(0) = ..., K(l+1) = ...) or a definition in place of the equations");
    return;
  }
  conclude(outcome, Verdict::vacuous, certain ? "branch and bound" : "adversarial search",
           certain ? "no point meets the conditions: shown by branch and bound"
                   : "no point met the conditions, although the search followed them",
           "a point that meets the conditions");
}

void conclude_by_boxes(const BoxProof& proof, Outcome& outcome) {
  const std::string expanded =
      proof.expanded == 0 ? ""
                          : fmt::format("{} by the first derivative that is not 0 where both sides touch",
                                        proof.boxes == 1 ? "," : fmt::format(", on {} of them", proof.expanded));
  const std::string on_the_whole = fmt::format("shown on the whole domain by branch and bound over {} {}{}",
                                               proof.boxes, proof.boxes == 1 ? "box" : "boxes", expanded);
  conclude(outcome, proof.vacuous ? Verdict::vacuous : Verdict::certified,
           proof.expanded > 0 ? "branch and bound with expansions" : "branch and bound",
           proof.vacuous ? "no point meets the conditions: shown by branch and bound" : on_the_whole,
           "nothing on this domain");
}

/// The proofs, the cheapest first; whether nothing but the search supports the statement.
bool rests_on_search(const language::Statement& statement, const Sizes& sizes, std::vector<Trial>& trials,
                     const engine::Context& context, bool random, Outcome& outcome) {
  if (!random && conclude_by_algebra(statement, sizes, trials, context, outcome)) return false;
  const BoxProof proof = sizes.exhaustive && !random ? prove(trials, context) : BoxProof{};
  if (proof.status == ProofStatus::certified) {
    conclude_by_boxes(proof, outcome);
    return false;
  }
  if (sizes.exhaustive && !random && shown_by_signs(trials, context)) {
    conclude(outcome, Verdict::certified, "signs of polynomials",
             "shown on the whole domain: each factor of the difference of both sides has one sign",
             "nothing on this domain");
    return false;
  }
  conclude(outcome, Verdict::supported, "adversarial search",
           "structured points, draws and local searches led by gradients found no violation",
           "a violation outside of what was searched");
  return true;
}

/// Whether the search was one that means something; the verdict says why where it was not.
bool search_tells(const std::vector<Trial>& trials, Outcome& outcome) {
  if (hardly_admissible(trials)) {
    conclude(outcome, Verdict::undecided, outcome.method,
             "few of the points met the conditions, and none came near the bound: the search says little",
             "a larger budget, or sets that give admissible points by construction");
    return false;
  }
  if (!searched_enough(trials)) {
    conclude(outcome, Verdict::undecided, outcome.method,
             "a point costs too much for a search that would mean something within the budget",
             "a larger budget, or smaller sizes");
    return false;
  }
  if (std::all_of(trials.begin(), trials.end(), [](const Trial& t) { return t.harvest.best.empty(); })) {
    conclude(outcome, Verdict::undecided, outcome.method, "both sides were 0 at every point, so nothing led the search",
             "a statement whose sides move, or a bounded domain of few variables");
    return false;
  }
  return true;
}

/// A domain that is not enumerated: proofs, else what the search found; false where the judgement ends with that.
bool judge_points(const language::Statement& statement, const Sizes& sizes, std::vector<Trial>& trials,
                  const engine::Context& context, bool random, Outcome& outcome) {
  if (admissible_of(trials) == 0) {
    judge_vacuity(sizes, trials, context, outcome);
    return false;
  }
  switch (open_violation(trials, context)) {
    case OpenViolation::none:
      break;
    case OpenViolation::condition:
      conclude(outcome, Verdict::undecided, "adversarial search",
               "points violate it, but their conditions hold only up to rounding, so no witness can be confirmed",
               "conditions as inequalities, or sets that give admissible points by construction");
      return false;
    case OpenViolation::side:
      conclude(
          outcome, Verdict::undecided, "adversarial search",
          "points violate it in doubles, but ball arithmetic does not know the mechanism, or one of its options, so no "
          "witness can be confirmed",
          "the mechanism written out, or without that option");
      return false;
  }
  if (!rests_on_search(statement, sizes, trials, context, random, outcome)) return true;
  if (!random && says_unequal(statement)) {
    judge_unequal(statement, trials, context, outcome);
    if (outcome.verdict != Verdict::supported) return outcome.verdict == Verdict::certified;
  }
  if (const auto point = point_of_touching(trials, context)) {
    conclude(outcome, Verdict::undecided, outcome.method,
             fmt::format("the relation is strict, and its sides may be equal at {}", *point),
             "a relation that allows equality, or a domain that leaves the point out");
    return false;
  }
  return search_tells(trials, outcome) && (!random || intervals_tell(trials, context, outcome));
}

}  // namespace

void judge_as_written(const language::Statement& original, const engine::Context& context, bool near_misses,
                      Outcome& outcome) {
  const language::Statement statement = balanced(original);
  const double flops = context.effort * flops_of_effort;
  Sizes sizes = choose_sizes(statement, context, context.effort < 2 ? 14 : context.effort < 16 ? 20 : 36, flops / 400);
  add_tight_sizes(statement, context, flops / 40, sizes);
  std::vector<Trial> trials = make_trials(statement, sizes, context);
  if (const auto fault = fault_of_library(trials, context)) {
    outcome.verdict = Verdict::error;
    outcome.method = "the library against its definitions";
    outcome.reason = *fault;
    outcome.would_change = "a mechanism that computes what it is defined to be";
    return;
  }
  // A short look first: most false statements fall at once.
  search_all(trials, context, flops / 8, 3000);
  outcome.evaluations += evaluations_of(trials);
  std::vector<Violation> violations = confirmed_violations(trials, context, 8);
  if (violations.empty()) {
    search_all(trials, context, flops, static_cast<std::int64_t>(200000 * context.effort));
    outcome.evaluations += evaluations_of(trials);
    violations = confirmed_violations(trials, context, 24);
    if (violations.empty()) violations = rounded_violations(trials, context);
    if (violations.empty()) violations = probed_violations(trials, context);
    if (violations.empty()) violations = violations_on_equations(trials, context);
  }
  DecidedCases cases;
  if (violations.empty() && !sizes.cases.empty()) {
    cases = decide_cases(statement, sizes.cases, context, 4 * flops);
    if (cases.failing) {
      add_choices(statement, {*cases.failing}, sizes);
      trials = make_trials(statement, sizes, context);
      const auto at = std::ranges::find(trials, *cases.failing, &Trial::choices);
      violations.push_back({static_cast<std::size_t>(at - trials.begin()), {}, 0});
    }
  }
  outcome.domain = cases.finished && !cases.failing ? fmt::format("all {} cases.", sizes.cases.size())
                                                    : domain_sentence(sizes, trials);
  if (!violations.empty()) {
    refute(sizes, trials, violations, context, outcome);
    if (near_misses) find_repair(original, context, outcome);
    return;
  }
  refuse_undefined(trials, outcome);
  const bool random =
      std::any_of(trials.begin(), trials.end(), [](const Trial& t) { return t.expectations->means() != Means::none; });
  if (random) outcome.remarks.push_back(trials.front().expectations->how());

  if (cases.finished ? !judge_cases({cases.open == 0, cases.some_admissible}, outcome)
                     : enumerated(sizes, trials) && !judge_cases(enumerate(trials, context), outcome))
    return;
  if (outcome.verdict != Verdict::certified && !judge_points(original, sizes, trials, context, random, outcome)) return;
  if (outcome.leaves_points_out && outcome.verdict == Verdict::certified)
    outcome.reason += ", wherever both sides are defined";
  if (const auto violation = record_tightest(trials, outcome)) {
    outcome.tightest.reset();
    outcome.remarks.clear();
    refute(sizes, trials, {*violation}, context, outcome);
    return;
  }
  if (near_misses) judge_variations(original, context, trials, outcome);
}

}  // namespace attest::referee
