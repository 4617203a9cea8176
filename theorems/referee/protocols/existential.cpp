#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "theorems/language/make.hpp"
#include "theorems/language/problem.hpp"
#include "theorems/referee/points/work.hpp"
#include "theorems/referee/proof/box_proof.hpp"
#include "theorems/referee/proof/clear_witness.hpp"
#include "theorems/referee/proof/confirm.hpp"
#include "theorems/referee/proof/crossing.hpp"
#include "theorems/referee/proof/sign_proof.hpp"
#include "theorems/referee/protocols/protocols.hpp"
#include "theorems/referee/question/question.hpp"
#include "theorems/referee/question/sets_of_conditions.hpp"
#include "theorems/referee/trials/enumeration.hpp"

namespace attest::referee {
namespace {

using engine::Verdict;
using language::Op;
using language::Quantifier;
using language::Statement;

/// The statement whose violations are the points that are looked for.
Statement negated(const Statement& statement) {
  Statement turned = balanced(as_universal(statement, Quantifier::exists));
  turned.claim = make(Op::negation, {turned.claim});
  return turned;
}

/// A point at which the claim itself certainly holds.
struct Found {
  std::size_t trial = 0;
  std::vector<double> raw;
};

std::optional<Found> find_point(std::vector<Trial>& trials, std::vector<Trial>& claims,
                                const engine::Context& context) {
  for (std::size_t t = 0; t < trials.size(); ++t) {
    std::size_t looked_at = 0;
    for (const search::Candidate& candidate : trials[t].harvest.best.candidates()) {
      if (candidate.slack > 1e-9 || ++looked_at > 12) break;
      context.poll();
      if (!confirm(*claims[t].program, candidate.point, claims[t].expectations->enclosures(context.effort)).holds())
        continue;
      return Found{t, candidate.point};
    }
  }
  return std::nullopt;
}

/// That the denial holds everywhere, by branch and bound.
bool denial_proved(const std::vector<Trial>& trials, const engine::Context& context) {
  return std::all_of(trials.begin(), trials.end(), [&](const Trial& trial) {
    if (trial.program->dimension() == 0) return false;
    const double share = context.effort * flops_of_effort / static_cast<double>(trials.size());
    return prove_on_box(
               *trial.program, context,
               static_cast<std::int64_t>(std::clamp(share / (1.5 * ball_work_of(*trial.program)), 20.0, 200000.0)))
               .status == ProofStatus::certified;
  });
}

/// An equation that has no solution because one side is larger everywhere, by the signs of polynomials.
bool one_side_is_larger(const Statement& equation, const Sizes& sizes, const engine::Context& context) {
  if (equation.claim->op != Op::equal) return false;
  return std::ranges::any_of(std::array{Op::less, Op::greater}, [&](Op op) {
    const std::vector<Trial> trials = make_trials(with_claim(equation, make(op, equation.claim->args)), sizes, context);
    return std::ranges::all_of(trials, [&](const Trial& t) { return prove_by_signs(*t.program, context); });
  });
}

/// The verdict where the claim was confirmed at a point.
void conclude_at(const Trial& claim, std::vector<double> raw, const engine::Context& context, Outcome& outcome) {
  const bool random = claim.expectations->means() != Means::none;
  if (!random) {
    const auto good_enough = [&](std::span<const double> x) { return confirm(*claim.program, x).holds(); };
    raw = clear_witness(*claim.program, raw, good_enough, 800);
  }
  outcome.verdict = !random || claim.expectations->certain() ? Verdict::certified : Verdict::supported;
  outcome.witness = point_at(*claim.program, claim.choices, raw, claim.expectations->enclosures(context.effort));
  outcome.reason = fmt::format("there is a point: {} {} {} holds there", outcome.witness->lhs,
                               outcome.witness->relation, outcome.witness->rhs);
  outcome.would_change = "nothing: the stored numbers can be evaluated again";
}

}  // namespace

void judge_existential(const Statement& original, const engine::Context& context, Outcome& outcome) {
  const Statement turned = negated(original);
  const Statement straight = with_sets_of_conditions(as_universal(original, Quantifier::exists));
  const double flops = context.effort * flops_of_effort;
  const Sizes sizes = choose_sizes(turned, context, 20, flops / 400);
  std::vector<Trial> trials = make_trials(turned, sizes, context);
  std::vector<Trial> claims = make_trials(straight, sizes, context);
  std::optional<Found> found;
  for (const double share : {0.125, 1.0}) {
    search_all(trials, context, share * flops, static_cast<std::int64_t>(40000 * context.effort));
    outcome.evaluations += evaluations_of(trials);
    found = find_point(trials, claims, context);
    if (found) break;
  }
  outcome.domain = domain_sentence(sizes, trials);
  outcome.method = "search for a point";
  if (found) {
    conclude_at(claims[found->trial], found->raw, context, outcome);
    return;
  }
  for (const Trial& claim : claims) {
    if (!equal_between(*claim.program, context)) continue;
    outcome.verdict = Verdict::certified;
    outcome.method = "intermediate values";
    outcome.reason = "both sides are continuous along a segment at whose ends they are in different order";
    outcome.would_change = "nothing: the segment was covered in ball arithmetic";
    return;
  }
  // Finitely many cases, none of which holds, or boxes that exclude every point.
  const bool no_variables =
      std::all_of(trials.begin(), trials.end(), [](const Trial& t) { return t.program->dimension() == 0; });
  const std::vector<language::Choices>& cases = sizes.exhaustive ? sizes.tried : sizes.cases;
  bool excluded = false, by_signs = false;
  if (no_variables && !cases.empty()) {
    const DecidedCases decided = decide_cases(straight, cases, context, 4 * flops);
    if (decided.holding) {
      conclude_at(make_trial(straight, *decided.holding, context), {}, context, outcome);
      return;
    }
    excluded = decided.finished && decided.open == 0;
    if (excluded) outcome.domain = fmt::format("all {} cases.", cases.size());
  } else if (sizes.exhaustive) {
    excluded = denial_proved(trials, context);
    if (!excluded)
      excluded = by_signs = std::all_of(trials.begin(), trials.end(),
                                        [&](const Trial& t) { return prove_by_signs(*t.program, context); });
    if (!excluded) excluded = by_signs = one_side_is_larger(straight, sizes, context);
  }
  if (excluded) {
    outcome.verdict = Verdict::refuted;
    outcome.method = no_variables ? "enumeration" : by_signs ? "signs of polynomials" : "branch and bound";
    outcome.reason = no_variables ? "no case of the finite domain satisfies it"
                     : by_signs   ? "the signs of polynomials exclude every point of the domain"
                                  : "branch and bound excludes every point of the domain";
    outcome.would_change = "a larger domain";
    return;
  }
  outcome.verdict = Verdict::undecided;
  outcome.reason = "no point was found, which does not show that there is none";
  outcome.would_change = "a larger budget, or a bounded domain of few variables, which branch and bound can exclude";
}

void judge_mixed(const Statement& original, const engine::Context& context, Outcome& outcome) {
  // The outer variables are drawn; for each draw a point of the inner ones is searched and confirmed.
  const Statement turned = negated(original);
  const Statement straight = with_sets_of_conditions(as_universal(original, Quantifier::exists));
  std::vector<std::string> inner;
  for (const language::Binder& binder : original.binders)
    if (binder.quantifier == Quantifier::exists) inner.insert(inner.end(), binder.names.begin(), binder.names.end());
  const double flops = context.effort * flops_of_effort;
  const Sizes sizes = choose_sizes(turned, context, 8, flops / 400);
  const std::vector<std::string> chosen = language::chosen_names(turned);
  for (const std::string& name : inner)
    if (std::find(chosen.begin(), chosen.end(), name) != chosen.end())
      throw language::Problem(
          original.claim->place,
          fmt::format("'exists {0}' after 'forall' is judged over a finite range such as 1..64 on which no later set, "
                      "condition or definition depends; give '{0}' such a range, or a real set",
                      name));
  std::vector<Trial> trials = make_trials(turned, sizes, context);
  std::vector<Trial> claims = make_trials(straight, sizes, context);
  std::int64_t drawn = 0, met = 0;
  for (std::size_t t = 0; t < trials.size(); ++t) {
    Trial& trial = trials[t];
    Landscape landscape(*trial.program, trial.expectations->values());
    const Bounds bounds = bounds_of(*trial.program);
    for (std::uint64_t k = 0; k < 24; ++k) {
      context.poll();
      random::Stream stream(context.seed, context.key, 0x3100000 + (t << 12) + k);
      const std::vector<double> point = draw_point(*trial.program, bounds, k, stream);
      // The outer numbers are held: everything that a search from here may move is the inner variables.
      language::Program held = *trial.program, held_claim = *claims[t].program;
      for (language::Program* program : {&held, &held_claim}) {
        for (language::RawInput& input : program->inputs_) {
          if (std::find(inner.begin(), inner.end(), input.name) != inner.end()) continue;
          for (std::size_t i = 0; i < static_cast<std::size_t>(input.raw.size()); ++i)
            input.lower[i] = input.upper[i] = point[input.offset + i];
          input.lower_open = input.upper_open = false;
          input.lower_end.reset();
          input.upper_end.reset();
        }
      }
      Landscape inside(held, trial.expectations->values());
      inside.set_ball_checks(200);
      const Harvest harvest = search_at(inside, context, 0x3200 + k, {400, 600, 4});
      outcome.evaluations += harvest.evaluations;
      if (harvest.admissible == 0) continue;
      ++drawn;
      if (equal_between(held_claim, context)) {
        ++met;
        continue;
      }
      for (const search::Candidate& candidate : harvest.best.candidates()) {
        if (!confirm(*claims[t].program, candidate.point, claims[t].expectations->enclosures(1)).holds()) continue;
        ++met;
        break;
      }
    }
  }
  outcome.domain =
      fmt::format("{} draws of the variables of 'forall' in {} {} of sizes, each with a search for the others.", drawn,
                  trials.size(), trials.size() == 1 ? "choice" : "choices");
  outcome.method = "search for a point at each draw";
  if (drawn > 0 && met == drawn) {
    outcome.verdict = Verdict::supported;
    outcome.reason = "at every draw a point was found and confirmed";
    outcome.would_change = "a draw for which there is no point";
  } else {
    outcome.verdict = Verdict::undecided;
    outcome.reason =
        fmt::format("at {} of {} draws no point was found, which does not show that there is none", drawn - met, drawn);
    outcome.would_change = "a larger budget";
  }
}

}  // namespace attest::referee
