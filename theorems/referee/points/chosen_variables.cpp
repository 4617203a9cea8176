#include "theorems/referee/points/chosen_variables.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "theorems/language/program.hpp"

namespace attest::referee {

using language::Binder;
using language::Choices;
using language::Expr;
using language::SetKind;
using language::Statement;

namespace {

void collect_names(const Expr& e, std::set<std::string>& names) {
  if (!e) return;
  if (e->op == language::Op::variable) names.insert(e->name);
  for (const Expr& each : e->args) collect_names(each, names);
}

/// Names on which the size of an array depends: extents of sets and laws, and what bounds a comprehension or makes an
/// array in the claim.
void collect_size_names(const Expr& e, std::set<std::string>& names) {
  if (!e) return;
  if (e->op == language::Op::comprehension) {
    collect_names(e->args[0], names);
    collect_names(e->args[1], names);
  }
  for (const Expr& each : e->args) collect_size_names(each, names);
}

}  // namespace

std::vector<Chosen> chosen_variables(const Statement& statement) {
  std::set<std::string> rows, columns;
  for (const Binder& binder : statement.binders) {
    std::vector<Expr> sizes =
        binder.quantifier == language::Quantifier::random ? binder.law.extents : binder.set.extents;
    if (binder.set.kind != SetKind::reals && binder.set.kind != SetKind::interval &&
        binder.set.kind != SetKind::range && binder.set.kind != SetKind::finite)
      sizes.insert(sizes.end(), binder.set.args.begin(), binder.set.args.end());
    for (std::size_t i = 0; i < sizes.size(); ++i) collect_names(sizes[i], i == 0 ? rows : columns);
  }
  std::set<std::string> others;
  collect_size_names(statement.claim, others);
  for (const Expr& each : statement.conditions) collect_size_names(each, others);
  for (const auto& each : statement.definitions) collect_size_names(each.body, others);

  std::vector<Chosen> variables;
  for (const std::string& name : language::chosen_names(statement)) {
    for (const Binder& binder : statement.binders) {
      if (binder.quantifier == language::Quantifier::limit ||
          std::find(binder.names.begin(), binder.names.end(), name) == binder.names.end())
        continue;
      const bool row = rows.contains(name), column = columns.contains(name);
      const double cap = row ? largest_rows : column ? largest_columns : others.contains(name) ? 4096 : 1e12;
      variables.push_back({name, &binder.set, row || column || others.contains(name), cap});
    }
  }
  return variables;
}

Values values_of(const Statement& statement, const Chosen& variable, const Choices& choices) {
  Values values;
  if (variable.set->kind == SetKind::finite) {
    for (const Expr& each : variable.set->args) values.listed.push_back(constant_value(statement, each, choices));
    values.lower = *std::min_element(values.listed.begin(), values.listed.end());
    values.upper = *std::max_element(values.listed.begin(), values.listed.end());
    return values;
  }
  values.lower = constant_value(statement, variable.set->args.at(0), choices);
  values.upper = constant_value(statement, variable.set->args.at(1), choices);
  return values;
}

double constant_value(const Statement& statement, const Expr& expression, const Choices& choices) {
  using language::Op;
  if (expression->op == Op::number) return expression->value.to_double();
  if (expression->op == Op::infinity) return std::numeric_limits<double>::infinity();
  if (expression->op == Op::negate) return -constant_value(statement, expression->args[0], choices);
  if (expression->op == Op::variable) {
    if (const auto found = choices.find(expression->name); found != choices.end()) return found->second;
  }
  Statement bare;
  bare.definitions = statement.definitions;
  bare.recursions = statement.recursions;
  const language::ExpressionProgram compiled = language::compile_expression(bare, expression, choices);
  language::Evaluator evaluator(compiled.program);
  const std::vector<double> raw(compiled.program.dimension(), 0.0);
  evaluator.run(raw);
  return evaluator.value(compiled.result)[0];
}

std::string outside_of_sets(const Statement& statement, const Choices& choices) {
  for (const Chosen& variable : chosen_variables(statement)) {
    const auto found = choices.find(variable.name);
    if (found == choices.end()) continue;
    const double value = found->second;
    const Values values = values_of(statement, variable, choices);
    if (!values.listed.empty()) {
      if (std::ranges::find(values.listed, value) == values.listed.end())
        return fmt::format("{} = {} is not in {{{}}}", variable.name, value, fmt::join(values.listed, ", "));
    } else if (!(values.lower <= value && value <= values.upper && std::floor(value) == value)) {
      return fmt::format("{} = {} lies outside of {}..{}", variable.name, value, values.lower, values.upper);
    }
  }
  return {};
}

}  // namespace attest::referee
