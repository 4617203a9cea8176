#include "theorems/referee/question/question.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "theorems/language/make.hpp"
#include "theorems/language/problem.hpp"
#include "theorems/referee/question/alternatives.hpp"
#include "theorems/referee/question/sets_of_conditions.hpp"
#include "theorems/referee/question/shapes.hpp"

namespace attest::referee {
namespace {

using language::Binder;
using language::Expr;
using language::Node;
using language::Op;
using language::Quantifier;
using language::Statement;

Expr balanced_expression(const Expr& e) {
  switch (e->op) {
    case Op::conjunction:
    case Op::disjunction:
    case Op::implication:
    case Op::negation: {
      std::vector<Expr> args;
      for (const Expr& each : e->args) args.push_back(balanced_expression(each));
      return make(e->op, std::move(args));
    }
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
    case Op::equal: {
      const bool zero_right = is_number(e->args[1], 0), zero_left = is_number(e->args[0], 0);
      if (zero_left == zero_right) return e;
      const Summands terms = summands_of(e->args[zero_right ? 0 : 1]);
      if (terms.plus.empty() || terms.minus.empty()) return e;
      const Expr p = sum_of(terms.plus), m = sum_of(terms.minus);
      return zero_right ? make(e->op, {p, m}) : make(e->op, {m, p});
    }
    default:
      return e;
  }
}

bool mentions(const Statement& statement, const Expr& e, const std::string& name, std::set<std::string>& opened) {
  if (!e) return false;
  if (e->op == Op::variable && e->name == name) return true;
  for (const Expr& each : e->args)
    if (mentions(statement, each, name, opened)) return true;
  for (const language::Option& option : e->options)
    if (mentions(statement, option.value, name, opened)) return true;
  if (e->op == Op::variable || e->op == Op::call) {
    for (const language::Definition& d : statement.definitions)
      if (d.name == e->name && opened.insert(d.name).second && mentions(statement, d.body, name, opened)) return true;
    for (const language::Recursion& r : statement.recursions) {
      if (r.name != e->name || !opened.insert(r.name).second) continue;
      if (mentions(statement, r.step, name, opened)) return true;
      for (const auto& start : r.start)
        if (mentions(statement, start.value, name, opened)) return true;
    }
  }
  return false;
}

}  // namespace

std::string name(Question question) {
  switch (question) {
    case Question::universal:
      return "universal";
    case Question::existential:
      return "existential";
    case Question::mixed:
      return "universal and existential";
    case Question::best_constant:
      return "best constant";
    case Question::limit:
      return "limit";
    case Question::order:
      return "order";
  }
  return "universal";
}

Question question_of(const Statement& statement) {
  bool forall = false, exists = false, best = false, limit = false;
  for (const Binder& binder : statement.binders) {
    if (binder.quantifier == Quantifier::forall && exists)
      throw language::Problem(
          binder.place,
          "'forall' after 'exists' is not judged, as no search tells that a point serves all others; "
          "name the point, or write best C in [0, 10]: forall ... for a constant");
    if (binder.quantifier == Quantifier::best && (best || forall || exists))
      throw language::Problem(binder.place, "'best' stands once and before 'forall': best C in [0, 10]: forall ...");
    forall |= binder.quantifier == Quantifier::forall;
    exists |= binder.quantifier == Quantifier::exists;
    best |= binder.quantifier == Quantifier::best;
    limit |= binder.quantifier == Quantifier::limit;
  }
  if (best && (exists || limit))
    throw language::Problem(statement.binders.front().place,
                            "'best' goes with 'forall' alone, not with 'exists' or 'limit'");
  if (statement.claim->op == Op::order) return Question::order;
  if (limit) return Question::limit;
  if (best) return Question::best_constant;
  if (exists) return forall ? Question::mixed : Question::existential;
  return Question::universal;
}

const Binder* binder_of(const Statement& statement, Quantifier quantifier) {
  const auto found = std::find_if(statement.binders.begin(), statement.binders.end(),
                                  [&](const Binder& b) { return b.quantifier == quantifier; });
  return found == statement.binders.end() ? nullptr : &*found;
}

Statement balanced(Statement statement) {
  statement = with_alternatives(with_sets_of_conditions(std::move(statement)));
  statement.claim = balanced_expression(statement.claim);
  return statement;
}

Statement as_universal(Statement statement, Quantifier quantifier) {
  for (Binder& binder : statement.binders)
    if (binder.quantifier == quantifier) binder.quantifier = Quantifier::forall;
  return statement;
}

Statement with_claim(Statement statement, Expr claim) {
  statement.claim = std::move(claim);
  return statement;
}

bool mentions(const Statement& statement, const Expr& expression, const std::string& name) {
  std::set<std::string> opened;
  return mentions(statement, expression, name, opened);
}

}  // namespace attest::referee
