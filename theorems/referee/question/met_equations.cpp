#include "theorems/referee/question/met_equations.hpp"

#include <algorithm>
#include <utility>

#include "theorems/referee/question/met_homogeneous.hpp"
#include "theorems/referee/question/met_linear.hpp"
#include "theorems/referee/question/sets_of_conditions.hpp"

namespace attest::referee {
namespace {

using language::Binder;
using language::Expr;
using language::Op;
using language::Quantifier;
using language::Statement;

bool has_equations(const Statement& statement) {
  const auto is_equation = [](const Expr& e) { return e->op == Op::equal; };
  return std::ranges::any_of(statement.conditions, is_equation) ||
         std::ranges::any_of(statement.binders,
                             [&](const Binder& binder) { return std::ranges::any_of(binder.conditions, is_equation); });
}

/// The homogeneous equation and the linear ones; the names are those that `statement` binds.
std::optional<MetEquations> met_as_read(const Statement& statement) {
  auto first = with_homogeneous_equation_met(statement);
  auto met = with_linear_equations_met(first ? first->statement : statement);
  if (!first || !met) return first ? std::move(first) : std::move(met);
  std::erase_if(met->names, [&](const std::string& name) {
    return std::ranges::none_of(statement.binders, [&](const Binder& binder) {
      return std::ranges::find(binder.names, name) != binder.names.end();
    });
  });
  met->names.insert(met->names.begin(), first->names.begin(), first->names.end());
  return met;
}

}  // namespace

std::optional<MetEquations> with_equations_met(const Statement& statement) {
  if (std::ranges::any_of(statement.binders, [](const Binder& binder) {
        return binder.quantifier == Quantifier::exists || binder.quantifier == Quantifier::limit;
      }))
    return std::nullopt;
  const Statement with_sets = with_sets_of_conditions(statement);
  auto met = met_as_read(with_sets);
  return met || !has_equations(with_sets) ? std::move(met) : met_as_read(statement);
}

}  // namespace attest::referee
