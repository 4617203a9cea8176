#include "theorems/referee/question/alternatives.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "theorems/language/make.hpp"
#include "theorems/referee/question/question.hpp"

namespace attest::referee {
namespace {

using language::Binder;
using language::Expr;
using language::Op;
using language::Quantifier;
using language::SetKind;
using language::Statement;

bool any_mentions(const Statement& statement, const std::vector<Expr>& expressions, const std::string& name) {
  return std::ranges::any_of(expressions, [&](const Expr& each) { return mentions(statement, each, name); });
}

/// Whether a definition, a recursion, or what is bound from binder `first` on depends on the name.
bool is_used_elsewhere(const Statement& statement, std::size_t first, const std::string& name) {
  const bool defined =
      std::ranges::any_of(statement.definitions, [&](const auto& d) { return mentions(statement, d.body, name); }) ||
      std::ranges::any_of(statement.recursions, [&](const language::Recursion& r) {
        return mentions(statement, r.step, name) ||
               std::ranges::any_of(r.start, [&](const auto& start) { return mentions(statement, start.value, name); });
      });
  return defined || std::any_of(statement.binders.begin() + static_cast<std::ptrdiff_t>(first), statement.binders.end(),
                                [&](const Binder& later) {
                                  return any_mentions(statement, later.set.args, name) ||
                                         any_mentions(statement, later.set.extents, name) ||
                                         any_mentions(statement, later.law.args, name) ||
                                         any_mentions(statement, later.law.extents, name) ||
                                         any_mentions(statement, later.conditions, name);
                                });
}

/// The binder's last name, with its conditions, becomes an alternative of the claim. Precondition: a finite range.
void write_out(Statement& statement, Binder& binder) {
  const std::string name = binder.names.back();
  std::vector<Expr> parts = std::exchange(binder.conditions, {});
  std::vector<Expr> others;
  for (const Expr& each : statement.conditions) (mentions(statement, each, name) ? parts : others).push_back(each);
  statement.conditions = std::move(others);
  parts.push_back(statement.claim);
  const Expr body = parts.size() == 1 ? parts.front() : make(Op::conjunction, std::move(parts));
  statement.claim =
      language::make_comprehension("any", name, binder.set.args[0], binder.set.args[1], body, binder.place);
  binder.names.pop_back();
}

}  // namespace

Statement with_alternatives(Statement statement) {
  const auto is_outer = [](const Binder& b) { return b.quantifier == Quantifier::forall; };
  const auto first = std::ranges::find_if(statement.binders, is_outer) - statement.binders.begin();
  for (std::size_t b = statement.binders.size(); b-- > 0;) {
    Binder& binder = statement.binders[b];
    if (static_cast<std::ptrdiff_t>(b) <= first || binder.quantifier != Quantifier::exists ||
        binder.set.kind != SetKind::range || binder.set.args[1]->op == Op::infinity)
      continue;
    while (!binder.names.empty() && !is_used_elsewhere(statement, b + 1, binder.names.back()))
      write_out(statement, binder);
    if (binder.names.empty()) statement.binders.erase(statement.binders.begin() + static_cast<std::ptrdiff_t>(b));
  }
  return statement;
}

}  // namespace attest::referee
