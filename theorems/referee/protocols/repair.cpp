#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "theorems/language/make.hpp"
#include "theorems/language/problem.hpp"
#include "theorems/language/read.hpp"
#include "theorems/referee/proof/closed_form.hpp"
#include "theorems/referee/protocols/constants.hpp"
#include "theorems/referee/protocols/protocols.hpp"
#include "theorems/referee/question/question.hpp"
#include "theorems/referee/question/sets_of_conditions.hpp"
#include "theorems/referee/question/shapes.hpp"
#include "theorems/referee/question/variations.hpp"

namespace attest::referee {
namespace {

using language::Expr;
using language::make_number;
using language::make_variable;
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
  if (e->op == Op::divide) {
    if (const auto inner = leading_constant(e->args[0]))
      return LeadingConstant{
          inner->value, make(Op::divide, {inner->rest ? inner->rest : make_number(rigor::Rational(1)), e->args[1]})};
  }
  return std::nullopt;
}

/// The constant written: a closed form where one fits that is not on the wrong side of what was demanded, else
/// rounded to the safe side.
Expr written(double value, bool upwards, std::string& text) {
  const double safe = upwards ? 1 : -1;
  const auto form = closed_form(std::abs(value), 1e-7);
  const double sign = value < 0 ? -1 : 1;
  const bool enough = form && safe * (sign * form->value - value) >= -1e-13 * std::abs(value);
  text = enough ? form->text : fmt::format("{:.7g}", std::abs(value) * (1 + safe * sign * 1e-6));
  if (value < 0) text = "-" + text;
  return language::read_expression("(" + text + ")");
}

/// The changed statement before the same judge, with this share of the effort.
Outcome judged_with(double share, const language::Statement& changed, const engine::Context& context,
                    Outcome& outcome) {
  engine::Context part = context;
  part.effort = context.effort * share;
  Outcome judged;
  judge_universal(changed, part, false, judged);
  outcome.evaluations += judged.evaluations;
  return judged;
}

/// Whether the changed statement may say less than it seems to: leave points out, as (-1)^(5/3), or have sides that are
/// 0 or the same wherever they were looked at.
enum class Emptiness : std::uint8_t { allowed, refused };

/// Whether it stands: at a glance first, then as it would if it were typed in.
bool stands(const language::Statement& changed, const engine::Context& context, Outcome& outcome,
            Emptiness emptiness = Emptiness::allowed) {
  const Outcome glance = judged_with(0.1, changed, context, outcome);
  if (!glance.stands() || (emptiness == Emptiness::refused && glance.leaves_points_out)) return false;
  const Outcome judged = judged_with(1, changed, context, outcome);
  if (emptiness == Emptiness::refused && (judged.leaves_points_out || !judged.tightest)) return false;
  return judged.stands();
}

/// The changed claim for all values of a new variable `name` in the set, at the points that the judge takes.
language::Statement with_variable(const language::Statement& statement, const Expr& claim, const std::string& name,
                                  const language::Set& set) {
  language::Statement asked = with_claim(statement, claim);
  language::Binder binder;
  binder.quantifier = language::Quantifier::forall;
  binder.names = {name};
  binder.set = set;
  asked.binders.insert(asked.binders.begin(), binder);
  return with_sets_of_conditions(std::move(asked));
}

/// A strict relation that fails where both sides are equal.
std::optional<Repair> not_strict(const language::Statement& statement, const engine::Context& context,
                                 Outcome& outcome) {
  const bool less = statement.claim->op == Op::less;
  if (!less && statement.claim->op != Op::greater) return std::nullopt;
  const auto changed = with_claim(statement, make(less ? Op::less_equal : Op::greater_equal, statement.claim->args));
  if (!stands(changed, context, outcome)) return std::nullopt;
  return Repair{language::normal_form(changed),
                less ? "not refuted with <= in place of <" : "not refuted with >= in place of >", changed.claim};
}

std::optional<Repair> of_constant(const language::Statement& statement, const engine::Context& context,
                                  Outcome& outcome) {
  const std::string name = fresh_name(statement, "factor");
  const Expr claim = scaled_claim(statement.claim, name);
  const Expr rhs = statement.claim->args.size() == 2 ? statement.claim->args[1] : nullptr;
  if (!claim || (rhs->op == Op::number && rhs->value == rigor::Rational(0))) return std::nullopt;
  language::Set reals;
  reals.kind = language::SetKind::reals;
  const SupremumSearch search(with_variable(statement, claim, name, reals), name, context, 0.1);
  outcome.evaluations += evaluations_of(search.trials());
  const auto best = search.result();
  if (!best) return std::nullopt;
  constexpr double most = 1e3;  // beyond, a search that ends somewhere says little
  if (std::abs(best->found) > 1e300 || search.grows_without_end())
    return Repair{"", "no constant factor of the right side is enough: the ratio of the sides is not bounded"};
  if (!(std::abs(best->found) < most)) return std::nullopt;
  // Off by less than is written: what fails is equality.
  if (std::abs(best->found - 1) < 1e-7) return not_strict(statement, context, outcome);
  const auto constant = leading_constant(rhs);
  const double whole = best->not_refuted * (constant ? constant->value.to_double() : 1);
  std::string text;
  const Expr number = written(whole, best->smallest, text);
  const Expr rest = constant ? constant->rest : rhs;
  const Expr right = !rest ? number : text == "1" ? rest : make(Op::multiply, {number, rest});
  const auto changed = with_claim(statement, make(statement.claim->op, {statement.claim->args[0], right}));
  // Offered only where it stands.
  if (!stands(changed, context, outcome)) return std::nullopt;
  return Repair{language::normal_form(changed),
                constant
                    ? fmt::format("not refuted with the constant {} in place of {}", text, constant->value.to_string())
                    : fmt::format("not refuted with the right side times {}", text),
                changed.claim};
}

/// Halves and thirds near the exponent, the nearest first; 0 is left out, which makes another statement of it.
std::vector<rigor::Rational> short_exponents(const rigor::Rational& near) {
  std::vector<rigor::Rational> found;
  const double value = near.to_double();
  for (const int q : {1, 2, 3})
    for (int p = static_cast<int>(std::ceil((value - 1.5) * q)); p <= (value + 1.5) * q; ++p) {
      const rigor::Rational each(p, q);
      if (p != 0 && !(each == near) && std::find(found.begin(), found.end(), each) == found.end())
        found.push_back(each);
    }
  std::stable_sort(found.begin(), found.end(), [&](const auto& a, const auto& b) {
    return std::abs(a.to_double() - value) < std::abs(b.to_double() - value);
  });
  constexpr std::size_t most = 8;
  if (found.size() > most) found.resize(most);
  return found;
}

/// The exponent that points demand, where a larger one helps everywhere or nowhere: a short number, else rounded.
std::optional<rigor::Rational> demanded(const language::Statement& statement, const Exponent& exponent,
                                        const engine::Context& context, Outcome& outcome) {
  const std::string name = fresh_name(statement, "exponent");
  language::Set near;
  near.kind = language::SetKind::interval;
  near.args = {make_number(exponent.value - rigor::Rational(3)), make_number(exponent.value + rigor::Rational(3))};
  const SupremumSearch search(with_variable(statement, exponent.replaced(make_variable(name)), name, near), name,
                              context, 0.05);
  outcome.evaluations += evaluations_of(search.trials());
  const auto best = search.result();
  if (!best || !(std::abs(best->found - exponent.value.to_double()) < 3 - 1e-6)) return std::nullopt;
  for (int q = 1; q <= 12; ++q) {
    const double p = std::round(best->found * q);
    if (std::abs(best->found - p / q) < 1e-6) return rigor::Rational(static_cast<std::int64_t>(p), q);
  }
  const double step = best->found * 1000;
  return rigor::Rational(static_cast<std::int64_t>(best->smallest ? std::ceil(step) : std::floor(step)), 1000);
}

/// One exponent changed: what points demand, else the nearest short number with which it stands.
std::optional<Repair> of_exponent(const language::Statement& statement, const engine::Context& context,
                                  Outcome& outcome) {
  if (!scaled_claim(statement.claim, "factor")) return std::nullopt;
  std::vector<Exponent> exponents = exponents_of(statement.claim);
  constexpr std::size_t most = 3;
  if (exponents.size() > most) exponents.resize(most);
  for (const Exponent& exponent : exponents) {
    std::vector<rigor::Rational> candidates = short_exponents(exponent.value);
    if (const auto best = demanded(statement, exponent, context, outcome)) candidates.insert(candidates.begin(), *best);
    for (const rigor::Rational& candidate : candidates) {
      if (candidate == exponent.value || candidate == rigor::Rational(0)) continue;
      const auto changed = with_claim(statement, exponent.replaced(make_number(candidate)));
      if (same(changed.claim->args[0], changed.claim->args[1])) continue;
      if (!stands(changed, context, outcome, Emptiness::refused)) continue;
      return Repair{language::normal_form(changed),
                    fmt::format("not refuted with the exponent {} in place of {}", candidate.to_string(),
                                exponent.value.to_string()),
                    changed.claim};
    }
  }
  return std::nullopt;
}

template <typename Find>
std::optional<Repair> repair_by(Find find, const language::Statement& statement, const engine::Context& context,
                                Outcome& outcome) {
  try {
    return find(statement, context, outcome);
  } catch (const language::Problem&) {
    return std::nullopt;  // the changed claim means nothing (sides of different shapes): no repair is offered
  }
}

}  // namespace

void find_repair(const language::Statement& statement, const engine::Context& context, Outcome& outcome) {
  // Expectations make every demand dear: only what numbers alone decide is repaired.
  if (binder_of(statement, language::Quantifier::random) != nullptr) return;
  outcome.repair = repair_by(of_constant, statement, context, outcome);
  // A claim of the ledger has a fraction of this effort, and names its own repair.
  if (context.effort >= 1) outcome.repair_of_exponent = repair_by(of_exponent, statement, context, outcome);
}

}  // namespace attest::referee
