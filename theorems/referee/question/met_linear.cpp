#include "theorems/referee/question/met_linear.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "theorems/language/make.hpp"
#include "theorems/referee/question/question.hpp"
#include "theorems/referee/question/shapes.hpp"

namespace attest::referee {
namespace {

using language::Binder;
using language::Expr;
using language::make_call;
using language::make_number;
using language::make_variable;
using language::Op;
using language::Quantifier;
using language::Set;
using language::SetKind;
using language::Statement;
using rigor::Rational;

/// c of a term that is c name; nothing for other terms.
std::optional<Rational> factor_of(const Expr& term, const std::string& name) {
  if (is_name(term, name)) return Rational(1);
  const bool quotient = term->op == Op::divide;
  if (term->op != Op::multiply && !quotient) return std::nullopt;
  const Expr &a = term->args[0], &b = term->args[1];
  if (b->op == Op::number && !(b->value == Rational(0)) && is_name(a, name))
    return quotient ? Rational(1) / b->value : b->value;
  return !quotient && a->op == Op::number && is_name(b, name) ? std::optional(a->value) : std::nullopt;
}

/// plus - minus
Expr difference_of(const std::vector<Expr>& plus, const std::vector<Expr>& minus) {
  if (minus.empty()) return plus.empty() ? make_number(0) : sum_of(plus);
  return plus.empty() ? make(Op::negate, {sum_of(minus)}) : make(Op::subtract, {sum_of(plus), sum_of(minus)});
}

class LinearMeeting {
 public:
  explicit LinearMeeting(Statement statement) : statement_(std::move(statement)) {
    for (Binder& binder : statement_.binders) binder.conditions = conjuncts_of(binder.conditions);
    statement_.conditions = conjuncts_of(statement_.conditions);
  }

  std::optional<MetEquations> met() {
    while (meet_one()) {
    }
    if (names_.empty()) return std::nullopt;
    return MetEquations{std::move(statement_), std::move(names_)};
  }

 private:
  bool meet_one() {
    // Copies, for the lists lose what is met.
    std::vector<Expr> conditions = statement_.conditions;
    for (const Binder& binder : statement_.binders)
      std::ranges::copy(binder.conditions, std::back_inserter(conditions));
    for (const Expr& condition : conditions) {
      // Between arrays an equation is one for each entry.
      const bool of_numbers = condition->op == Op::equal && std::ranges::all_of(condition->args, [&](const Expr& side) {
                                return is_scalar(statement_, side);
                              });
      if (of_numbers && (meet_total(condition) || meet_number(condition))) return true;
    }
    return false;
  }

  /// use(binder, name) for the variables of `forall` whose set is of one of these kinds, the last first, until it is
  /// true. Without those that another variable's set or law depends on.
  template <typename Use>
  bool any_variable(SetKind kind, const Use& use) {
    for (auto binder = statement_.binders.rbegin(); binder != statement_.binders.rend(); ++binder) {
      if (binder->quantifier != Quantifier::forall || binder->set.kind != kind) continue;
      for (auto at = binder->names.rbegin(); at != binder->names.rend(); ++at) {
        const std::string& name = *at;
        const bool needed = std::ranges::any_of(statement_.binders, [&](const Binder& other) {
          const auto in = [&](const Expr& e) { return mentions(statement_, e, name); };
          return std::ranges::any_of(other.set.args, in) || std::ranges::any_of(other.set.extents, in) ||
                 std::ranges::any_of(other.law.args, in);
        });
        if (!needed && use(*binder, std::string(name))) return true;
      }
    }
    return false;
  }

  /// A number that stands in one term of the equation, and in no other part of it.
  bool meet_number(const Expr& condition) {
    Summands terms = summands_of(condition->args[0]);
    const Summands right = summands_of(condition->args[1]);
    std::ranges::copy(right.minus, std::back_inserter(terms.plus));
    std::ranges::copy(right.plus, std::back_inserter(terms.minus));
    for (auto* list : {&terms.plus, &terms.minus}) std::erase_if(*list, [](const Expr& e) { return is_number(e, 0); });
    const auto solve = [&](const Binder& binder, const std::string& name) {
      if (!binder.set.extents.empty()) return false;
      Summands rest;
      std::optional<Rational> factor;
      for (const bool positive : {true, false})
        for (const Expr& term : positive ? terms.plus : terms.minus) {
          const bool own = mentions(statement_, term, name);
          if (!own) {
            (positive ? rest.plus : rest.minus).push_back(term);
            continue;
          }
          const auto found = factor_of(term, name);
          if (factor || !found || *found == Rational(0)) return false;
          factor = positive ? *found : -*found;
        }
      if (!factor) return false;
      const bool turned = *factor == Rational(-1);
      Expr value = turned ? difference_of(rest.plus, rest.minus) : difference_of(rest.minus, rest.plus);
      if (!turned && *factor != Rational(1)) value = make(Op::divide, {value, make_number(*factor)});
      define(condition, name, value, std::nullopt);
      return true;
    };
    return any_variable(SetKind::reals, solve) || any_variable(SetKind::interval, solve);
  }

  /// sum(x) = c, mean(x) = c or trace(X) = c, whichever stands first.
  bool meet_total(const Expr& condition) {
    for (const std::size_t side : {0U, 1U})
      for (const SetKind kind : {SetKind::reals, SetKind::interval, SetKind::symmetric})
        if (any_variable(kind, [&](const Binder& binder, const std::string& name) {
              return meet_total(condition, condition->args[side], condition->args[1 - side], binder.set, name);
            }))
          return true;
    return false;
  }

  bool meet_total(const Expr& condition, const Expr& total, const Expr& c, const Set& set, const std::string& name) {
    if (mentions(statement_, c, name)) return false;
    const auto is_call = [&](const char* function) { return is_call_of(total, function, name); };
    const std::string own = fresh_name(statement_, name + "_free");
    const Expr free = make_variable(own);
    const auto with = [&](const Expr& centred, const Expr& share) {
      return is_number(c, 0) ? centred : make(Op::add, {centred, share});
    };
    const bool vector = set.kind != SetKind::symmetric && set.extents.size() == 1;
    if (vector && (is_call("mean") || is_sum_of_entries(total, name, set.extents[0]))) {
      const Expr centred = make(Op::subtract, {free, make_call("mean", {free})});
      define(condition, name, with(centred, is_call("mean") ? c : make(Op::divide, {c, set.extents[0]})), own);
      return true;
    }
    const bool square = set.kind == SetKind::reals && set.extents.size() == 2 && same(set.extents[0], set.extents[1]);
    if (is_call("trace") && (square || set.kind == SetKind::symmetric)) {
      const Expr n = square ? set.extents[0] : set.args[0], unit = make_call("identity", {n});
      const auto share = [&](const Expr& of) { return make(Op::multiply, {make(Op::divide, {of, n}), unit}); };
      const Expr centred = make(Op::subtract, {free, share(make_call("trace", {free}))});
      define(condition, name, with(centred, share(c)), own);
      return true;
    }
    return false;
  }

  /// `name` becomes a definition, and `free`, where there is one, is bound in its place; the equation goes.
  void define(const Expr& condition, const std::string& name, const Expr& value,
              const std::optional<std::string>& free) {
    std::vector<Binder> binders;
    for (Binder& binder : statement_.binders) {
      std::erase(binder.conditions, condition);
      if (const auto at = std::ranges::find(binder.names, name); at != binder.names.end()) {
        if (binder.set.kind == SetKind::interval)
          for (const auto& bounds : {lower_bound_of(binder.set, name), upper_bound_of(binder.set, name)})
            std::ranges::copy(bounds, std::back_inserter(statement_.conditions));
        if (free) {
          *at = *free;
        } else {
          binder.names.erase(at);
        }
      }
      if (binder.names.empty())
        std::ranges::move(binder.conditions, std::back_inserter(statement_.conditions));
      else
        binders.push_back(std::move(binder));
    }
    std::erase(statement_.conditions, condition);
    statement_.binders = std::move(binders);
    statement_.definitions.push_back({.name = name, .body = value});
    names_.push_back(name);
  }

  Statement statement_;
  std::vector<std::string> names_;
};

}  // namespace

std::optional<MetEquations> with_linear_equations_met(const Statement& statement) {
  return LinearMeeting(statement).met();
}

}  // namespace attest::referee
