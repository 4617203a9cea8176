#include "theorems/referee/question/sets_of_conditions.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>
#include <vector>

#include "theorems/language/make.hpp"
#include "theorems/referee/question/shapes.hpp"

namespace attest::referee {
namespace {

using language::Binder;
using language::Expr;
using language::Op;
using language::Quantifier;
using language::Set;
using language::SetKind;
using language::Statement;

bool is_norm(const Expr& e, const std::string& name) {
  if (is_call_of(e, "norm", name) || is_call_of(e, "dot", name, 2)) return true;
  return e->op == Op::power && is_number(e->args[1], 2) && is_call_of(e->args[0], "norm", name);
}

/// An equation of `side` and 1, whichever stands first.
bool equals_one(const Expr& e, const std::function<bool(const Expr&)>& side) {
  return e->op == Op::equal &&
         ((is_number(e->args[1], 1) && side(e->args[0])) || (is_number(e->args[0], 1) && side(e->args[1])));
}

/// min(x) >= 0 or x >= 0, either way round.
bool says_not_negative(const Expr& e, const std::string& name) {
  const auto is_least = [&](const Expr& side) { return is_name(side, name) || is_call_of(side, "min", name); };
  return (e->op == Op::greater_equal && is_least(e->args[0]) && is_number(e->args[1], 0)) ||
         (e->op == Op::less_equal && is_number(e->args[0], 0) && is_least(e->args[1]));
}

bool is_vector_of_reals(const Set& set) { return set.kind == SetKind::reals && set.extents.size() == 1; }

/// [0, 1]^n, [0, inf)^n and what lies between.
bool is_vector_from_zero(const Set& set) {
  if (set.kind != SetKind::interval || set.extents.size() != 1 || set.lower_open || !is_number(set.args[0], 0))
    return false;
  const Expr& upper = set.args[1];
  return upper->op == Op::infinity || (upper->op == Op::number && upper->value >= rigor::Rational(1) &&
                                       !(set.upper_open && upper->value == rigor::Rational(1)));
}

/// Takes from the conditions those that `holds` names; whether there was one.
bool take(std::vector<std::vector<Expr>*>& conditions, const std::function<bool(const Expr&)>& holds) {
  bool taken = false;
  for (std::vector<Expr>* each : conditions) taken |= std::erase_if(*each, holds) > 0;
  return taken;
}

/// The set that the conditions make of a variable's own; they lose those that say so. Its own where they say nothing.
Set set_of(const std::string& name, const Set& own, std::vector<std::vector<Expr>*>& conditions) {
  if (!is_vector_of_reals(own) && !is_vector_from_zero(own)) return own;
  const Expr& extent = own.extents[0];
  const auto unit_sum = [&](const Expr& e) {
    return equals_one(e, [&](const Expr& side) { return is_sum_of_entries(side, name, extent); });
  };
  const auto not_negative = [&](const Expr& e) { return says_not_negative(e, name); };
  const auto says = [&](const std::function<bool(const Expr&)>& what) {
    return std::ranges::any_of(conditions, [&](const auto* each) { return std::ranges::any_of(*each, what); });
  };
  Set made{.args = {extent}, .place = own.place};
  if (says(unit_sum) && (is_vector_from_zero(own) || says(not_negative))) {
    take(conditions, unit_sum);
    take(conditions, not_negative);
    made.kind = SetKind::simplex;
    return made;
  }
  const auto unit_norm = [&](const Expr& e) {
    return equals_one(e, [&](const Expr& side) { return is_norm(side, name); });
  };
  if (is_vector_of_reals(own) && take(conditions, unit_norm)) {
    made.kind = SetKind::sphere;
    return made;
  }
  return own;
}

}  // namespace

Statement with_sets_of_conditions(Statement statement) {
  // Taken apart only where a set comes of it, so that every other statement stays the tree that it is.
  std::vector<Expr> last = conjuncts_of(statement.conditions);
  std::vector<Binder> binders;
  bool changed = false;
  for (const Binder& given : statement.binders) {
    Binder binder = given;
    const std::vector<std::string> names = binder.names;
    if (names.empty() || (binder.quantifier != Quantifier::forall && binder.quantifier != Quantifier::exists)) {
      binders.push_back(std::move(binder));
      continue;
    }
    binder.conditions = conjuncts_of(binder.conditions);
    std::vector<std::vector<Expr>*> conditions{&binder.conditions, &last};
    std::vector<Set> sets;
    for (const std::string& name : names) sets.push_back(set_of(name, binder.set, conditions));
    if (std::ranges::all_of(sets, [&](const Set& each) { return same(each, binder.set); })) {
      binders.push_back(given);
      continue;
    }
    changed = true;
    for (std::size_t i = 0; i < names.size(); ++i) {
      Binder one = binder;
      one.names = {names[i]};
      one.set = sets[i];
      if (i + 1 < names.size()) one.conditions.clear();
      binders.push_back(std::move(one));
    }
  }
  if (!changed) return statement;
  statement.binders = std::move(binders);
  statement.conditions = std::move(last);
  return statement;
}

}  // namespace attest::referee
