#include <algorithm>

#include <fmt/format.h>

#include "theorems/referee/protocols/protocols.hpp"
#include "theorems/referee/question/question.hpp"

namespace attest::referee {
namespace {

using engine::Verdict;
using language::Op;

/// "There are elements of the same sets at which both sides are equal."
language::Statement with_solution(language::Statement statement) {
  for (language::Binder& binder : statement.binders) binder.quantifier = language::Quantifier::exists;
  const language::Expr equation = statement.claim->args[0];
  return with_claim(std::move(statement), equation);
}

double least_slack(const std::vector<Trial>& trials) {
  double least = 1;
  for (const Trial& trial : trials)
    for (const search::Candidate& candidate : trial.harvest.best.candidates()) least = std::min(least, candidate.slack);
  return least;
}

}  // namespace

bool says_unequal(const language::Statement& statement) {
  return statement.claim->op == Op::negation && statement.claim->args[0]->op == Op::equal &&
         std::all_of(statement.binders.begin(), statement.binders.end(),
                     [](const language::Binder& binder) { return binder.quantifier == language::Quantifier::forall; });
}

void judge_unequal(const language::Statement& statement, const std::vector<Trial>& trials,
                   const engine::Context& context, Outcome& outcome) {
  Outcome solution;
  judge_existential(with_solution(statement), context, solution);
  outcome.evaluations += solution.evaluations;
  if (solution.verdict == Verdict::certified) {
    outcome.verdict = Verdict::refuted;
    outcome.method = solution.method;
    outcome.reason = solution.witness ? "both sides are equal at a point" : "there are equal sides: " + solution.reason;
    outcome.would_change = solution.would_change;
    outcome.witness = solution.witness;
  } else if (solution.verdict == Verdict::refuted) {
    outcome.verdict = Verdict::certified;
    outcome.method = solution.method;
    outcome.reason = "the sides are nowhere equal: " + solution.reason;
    outcome.would_change = "nothing on this domain";
  } else if (const double slack = least_slack(trials); slack < 1e-3 || slack > 0.999) {
    // A slack of 1 everywhere, as of f^2 + g^2 and 0, is flat: nothing led the search towards a solution.
    outcome.verdict = Verdict::undecided;
    outcome.reason =
        slack < 0.5 ? fmt::format("the sides come within {:.2g} of each other, relatively, and may be equal", slack)
                    : "nothing led the search to where the sides are equal, or shows that they never are";
    outcome.would_change = "an inequality between them, or a bounded domain of few variables";
  }
}

}  // namespace attest::referee
