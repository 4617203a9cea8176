#include "theorems/language/vocabulary.hpp"

#include <utility>

#include <fmt/format.h>

#include "theorems/language/functions.hpp"
#include "theorems/language/laws.hpp"
#include "theorems/language/make.hpp"
#include "theorems/language/named_sets.hpp"
#include "theorems/language/problem.hpp"
#include "theorems/language/reading/calls.hpp"
#include "theorems/language/reading/draft.hpp"
#include "theorems/language/reading/resolve.hpp"

namespace attest::language {
namespace {

std::vector<Expr> exprs(const std::vector<Term>& terms) {
  std::vector<Expr> all;
  for (const Term& term : terms) all.push_back(term.expr());
  return all;
}

Expr binary(Op op, const Term& a, const Term& b) { return make(op, {a.expr(), b.expr()}); }

}  // namespace

Term::Term(const Variable& variable) : expr_(make_leaf(Op::variable, variable.name)) {}
Term::Term(std::int64_t value) : expr_(make_number(value)) {}
Term::Term(int value) : Term(std::int64_t{value}) {}

Expr number(std::string_view text) { return make_number(rigor::Rational::from_text(text)); }
Expr ratio(std::int64_t numerator, std::int64_t denominator) {
  return make_number(rigor::Rational(numerator, denominator));
}
Expr infinity() { return make_leaf(Op::infinity, ""); }
Expr pi() { return make_leaf(Op::constant, "pi"); }
Expr operator+(const Term& a, const Term& b) { return binary(Op::add, a, b); }
Expr operator-(const Term& a, const Term& b) { return binary(Op::subtract, a, b); }
Expr operator*(const Term& a, const Term& b) { return binary(Op::multiply, a, b); }
Expr operator/(const Term& a, const Term& b) { return binary(Op::divide, a, b); }
Expr operator-(const Term& a) { return make(Op::negate, {a.expr()}); }
Expr power(const Term& base, const Term& exponent) { return binary(Op::power, base, exponent); }

Expr at(const Term& array, const std::vector<Term>& indices) {
  std::vector<Expr> args = exprs(indices);
  args.insert(args.begin(), array.expr());
  return make(Op::index, std::move(args));
}

Expr call(std::string_view name, const std::vector<Term>& args, std::vector<Option> options) {
  const Expr made = make_call(std::string(name), exprs(args), std::move(options));
  return find_function(name) != nullptr ? canonical_call(made) : made;
}

Expr over(std::string_view name, std::string_view index, const Term& from, const Term& to, const Term& body) {
  return make_comprehension(std::string(name), std::string(index), from.expr(), to.expr(), body.expr());
}

Expr mean_of(const Term& a) { return make(Op::expectation, {a.expr()}); }
Expr probability_of(const Expr& relation) { return make(Op::probability, {relation}); }

Expr less(const Term& a, const Term& b) { return binary(Op::less, a, b); }
Expr leq(const Term& a, const Term& b) { return binary(Op::less_equal, a, b); }
Expr greater(const Term& a, const Term& b) { return binary(Op::greater, a, b); }
Expr geq(const Term& a, const Term& b) { return binary(Op::greater_equal, a, b); }
Expr equal(const Term& a, const Term& b) { return binary(Op::equal, a, b); }
Expr both(const Expr& a, const Expr& b) { return make(Op::conjunction, {a, b}); }
Expr either(const Expr& a, const Expr& b) { return make(Op::disjunction, {a, b}); }
Expr implies(const Expr& a, const Expr& b) { return make(Op::implication, {a, b}); }
Expr negation(const Expr& a) { return make(Op::negation, {a}); }

Variable scalar(std::string_view name) { return {std::string(name), {}}; }

Variable scalar(std::string_view name, const Term& lower, const Term& upper, std::string_view ends) {
  return {std::string(name),
          {.kind = SetKind::interval,
           .args = {lower.expr(), upper.expr()},
           .lower_open = ends.front() == '(',
           .upper_open = ends.back() == ')'}};
}

Variable count(std::string_view name, const Term& from, const Term& to) {
  return {std::string(name), {.kind = SetKind::range, .args = {from.expr(), to.expr()}}};
}

Variable one_of(std::string_view name, const std::vector<Term>& values) {
  return {std::string(name), {.kind = SetKind::finite, .args = exprs(values)}};
}

Variable vector(std::string_view name, const Term& n) { return {std::string(name), {.extents = {n.expr()}}}; }

Variable matrix(std::string_view name, const Term& m, const Term& n) {
  return {std::string(name), {.extents = {m.expr(), n.expr()}}};
}

Variable member(std::string_view name, std::string_view set, const std::vector<Term>& args) {
  const SetRule* rule = find_set(set);
  if (rule == nullptr || rule->parameters.size() != args.size())
    throw Problem({}, fmt::format("'{}' with {} arguments is not a set of the language", set, args.size()));
  return {std::string(name), {.kind = rule->kind, .args = exprs(args)}};
}

Prefix& Prefix::bind(Quantifier quantifier, const std::vector<Variable>& variables) {
  for (const Variable& variable : variables) {
    statement_.binders.push_back({.quantifier = quantifier, .names = {variable.name}, .set = variable.set});
  }
  return *this;
}

Prefix& Prefix::random(std::string_view name, std::string_view law, const std::vector<Term>& args,
                       const std::vector<Term>& extents) {
  const LawRule* rule = find_law(law);
  if (rule == nullptr || rule->parameters.size() != args.size())
    throw Problem({}, fmt::format("'{}' with {} arguments is not a law of the language", law, args.size()));
  statement_.binders.push_back(
      {.quantifier = Quantifier::random,
       .names = {std::string(name)},
       .law = {.name = std::string(rule->name), .args = exprs(args), .extents = exprs(extents)}});
  return *this;
}

Prefix& Prefix::limit(std::string_view name, const Term& to) {
  Binder binder{.quantifier = Quantifier::limit, .names = {std::string(name)}};
  binder.set.args = {to.expr()};
  statement_.binders.push_back(std::move(binder));
  return *this;
}

Prefix& Prefix::let(std::string_view name, const std::vector<std::string>& parameters, const Term& body) {
  statement_.definitions.push_back({.name = std::string(name), .parameters = parameters, .body = body.expr()});
  return *this;
}

Prefix& Prefix::given(const Expr& condition) {
  take_apart(condition, statement_.binders.back().conditions);
  return *this;
}

Prefix& Prefix::where(const Expr& condition) {
  take_apart(condition, statement_.conditions);
  return *this;
}

Statement Prefix::says(const Expr& claim) const {
  Draft draft{.statement = statement_};
  draft.statement.claim = claim;
  // What is made rather than read stands nowhere.
  for (const Binder& binder : statement_.binders) draft.binder_names.emplace_back(binder.names.size());
  for (const Definition& definition : statement_.definitions)
    draft.parameter_names.emplace_back(definition.parameters.size());
  return resolve(std::move(draft));
}

Prefix forall(const std::vector<Variable>& variables) { return Prefix().forall(variables); }
Prefix exists(const std::vector<Variable>& variables) { return Prefix().exists(variables); }

}  // namespace attest::language
