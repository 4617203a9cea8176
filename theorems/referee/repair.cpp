#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "theorems/language/problem.hpp"
#include "theorems/language/read.hpp"
#include "theorems/referee/closed_form.hpp"
#include "theorems/referee/constants.hpp"
#include "theorems/referee/protocols.hpp"
#include "theorems/referee/question.hpp"
#include "theorems/referee/variations.hpp"

namespace attest::referee {
namespace {

using language::Expr;
using language::Op;

/// The factor that stands first in a product, as a number: 1/9 in 1/9 * range(x - y)^2.
struct LeadingConstant {
  rigor::Rational value;
  Expr rest;  ///< nothing where the constant stands alone
};

std::optional<LeadingConstant> leading_constant(const Expr& e) {
  if (e->op == Op::number) return LeadingConstant{e->value, nullptr};
  if (e->op == Op::multiply && e->args[0]->op == Op::number) return LeadingConstant{e->args[0]->value, e->args[1]};
  if (e->op == Op::multiply) {
    if (const Expr& first = e->args[0]; first->op == Op::divide && first->args[0]->op == Op::number &&
                                        first->args[1]->op == Op::number &&
                                        !(first->args[1]->value == rigor::Rational(0)))
      return LeadingConstant{first->args[0]->value / first->args[1]->value, e->args[1]};
    if (const auto inner = leading_constant(e->args[0]))
      return LeadingConstant{inner->value, inner->rest ? make(Op::multiply, {inner->rest, e->args[1]}) : e->args[1]};
  }
  if (e->op == Op::divide && e->args[1]->op == Op::number && !(e->args[1]->value == rigor::Rational(0))) {
    if (const auto inner = leading_constant(e->args[0]))
      return LeadingConstant{inner->value / e->args[1]->value, inner->rest};
    return LeadingConstant{rigor::Rational(1) / e->args[1]->value, e->args[0]};
  }
  return std::nullopt;
}

/// The constant written shortly: exactly where a closed form fits, else rounded to the safe side.
Expr written(double value, bool upwards, std::string& text) {
  const auto form = closed_form(std::abs(value), 1e-7);
  text = form ? form->text : fmt::format("{:.7g}", value * (1 + (upwards ? 1 : -1) * (value > 0 ? 1 : -1) * 1e-6));
  if (!form && value < 0) return language::read_expression("(" + text + ")");
  return language::read_expression((value < 0 ? "(-" : "(") + text + ")");
}

}  // namespace

void find_repair(const language::Statement& statement, const engine::Context& context, Outcome& outcome) {
  std::string name = "factor";
  while (mentions(statement, statement.claim, name)) name += "_";
  const Expr claim = scaled_claim(statement.claim, name);
  const Expr rhs = statement.claim->args.size() == 2 ? statement.claim->args[1] : nullptr;
  if (!claim || (rhs->op == Op::number && rhs->value == rigor::Rational(0))) return;
  // Expectations make every demand dear: only what numbers alone decide is mended.
  if (binder_of(statement, language::Quantifier::random) != nullptr) return;
  try {
    language::Statement asked = with_claim(statement, claim);
    language::Binder binder;
    binder.quantifier = language::Quantifier::forall;
    binder.names = {name};
    binder.set.kind = language::SetKind::reals;
    asked.binders.insert(asked.binders.begin(), binder);
    const SupremumSearch search(asked, name, context, 0.1);
    outcome.evaluations += evaluations_of(search.trials());
    const auto best = search.result();
    if (!best) return;
    if (!(std::abs(best->found) < 1e6)) {
      outcome.repair =
          Repair{"", "no constant factor of the right side mends it: the ratio of the sides is not bounded"};
      return;
    }
    const auto constant = leading_constant(rhs);
    const double whole = best->not_refuted * (constant ? constant->value.to_double() : 1);
    std::string text;
    const Expr number = written(whole, best->smallest, text);
    const Expr rest = constant ? constant->rest : rhs;
    const Expr right = rest ? make(Op::multiply, {number, rest}) : number;
    const Expr mended = make(statement.claim->op, {statement.claim->args[0], right});
    Repair repair;
    repair.statement = language::normal_form(with_claim(statement, mended));
    repair.sentence =
        constant ? fmt::format("not refuted with the constant {} in place of {}", text, constant->value.to_string())
                 : fmt::format("not refuted with the right side times {}", text);
    // Offered only where it stands before the same judge.
    Outcome mended_outcome;
    engine::Context quick = context;
    quick.effort = context.effort / 10;
    judge_universal(with_claim(statement, mended), quick, false, mended_outcome);
    outcome.evaluations += mended_outcome.evaluations;
    if (mended_outcome.stands()) outcome.repair = repair;
  } catch (const language::Problem&) {
    // The scaled claim means nothing (sides of different shapes): no repair is offered.
  }
}

}  // namespace attest::referee
