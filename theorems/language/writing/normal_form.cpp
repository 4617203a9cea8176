// The one spelling of each tree.
#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "theorems/language/make.hpp"
#include "theorems/language/named_sets.hpp"
#include "theorems/language/read.hpp"
#include "theorems/language/writing/levels.hpp"
#include "theorems/language/writing/number_text.hpp"

namespace attest::language {
namespace {

std::string write(const Expr& expr, int least);

std::string list(const std::vector<Expr>& exprs) {
  std::vector<std::string> all;
  for (const Expr& expr : exprs) all.push_back(write(expr, level::sum));
  return fmt::format("{}", fmt::join(all, ", "));
}

/// An operand on the right of an operator: a leading minus gets brackets.
std::string right(const Expr& expr, int least) {
  std::string text = write(expr, least);
  return text.front() == '-' ? "(" + text + ")" : text;
}

std::pair<std::string, int> infix(const Expr& expr, std::string_view sign_text, int level) {
  return {write(expr->args[0], level) + std::string(sign_text) + right(expr->args[1], level + 1), level};
}

std::pair<std::string, int> joined(const Expr& expr, std::string_view word, int level) {
  std::vector<std::string> all;
  for (const Expr& arg : expr->args) all.push_back(write(arg, level + 1));
  return {fmt::format("{}", fmt::join(all, word)), level};
}

std::string array_text(const Expr& expr) {
  bool matrix = expr->args.size() > 1;
  for (const Expr& row : expr->args)
    matrix = matrix && row->op == Op::array && row->args.size() == expr->args[0]->args.size();
  if (!matrix) return "[" + list(expr->args) + "]";
  std::vector<std::string> rows;
  for (const Expr& row : expr->args) rows.push_back(list(row->args));
  return fmt::format("[{}]", fmt::join(rows, "; "));
}

std::string call_text(const Expr& expr) {
  std::string text = expr->name + "(" + list(expr->args);
  for (const Option& option : expr->options)
    text += fmt::format("{}{} = {}", text.back() == '(' ? "" : ", ", option.name, write(option.value, level::sum));
  return text + ")";
}

/// The spelling and its level.
std::pair<std::string, int> spelled(const Expr& expr) {
  const auto& args = expr->args;
  switch (expr->op) {
    case Op::number: {
      std::string text = number_text(expr->value);
      const int level = text.find('/') != std::string::npos ? level::product
                        : text.front() == '-'               ? level::sign
                                                            : level::postfix;
      return {std::move(text), level};
    }
    case Op::infinity:
      return {"inf", level::postfix};
    case Op::constant:
    case Op::variable:
    case Op::truth:
      return {expr->name, level::postfix};
    case Op::text:
      return {"\"" + expr->name + "\"", level::postfix};
    case Op::add:
      return infix(expr, " + ", level::sum);
    case Op::subtract:
      return infix(expr, " - ", level::sum);
    case Op::multiply:
      return infix(expr, "*", level::product);
    case Op::divide:
      return infix(expr, "/", level::product);
    case Op::times_elementwise:
      return infix(expr, " .* ", level::product);
    case Op::divide_elementwise:
      return infix(expr, " ./ ", level::product);
    case Op::power:
      return {write(args[0], level::postfix) + "^" + right(args[1], level::power), level::power};
    case Op::power_elementwise:
      return {write(args[0], level::postfix) + ".^" + right(args[1], level::power), level::power};
    case Op::negate:
      return {"-" + right(args[0], level::power), level::sign};
    case Op::transpose:
      return {write(args[0], level::postfix) + "'", level::postfix};
    case Op::index: {
      const std::vector<Expr> indices(args.begin() + 1, args.end());
      return {write(args[0], level::postfix) + "[" + list(indices) + "]", level::postfix};
    }
    case Op::slice:
      return {fmt::format("{}[{}..{}]", write(args[0], level::postfix), write(args[1], level::sum),
                          write(args[2], level::sum)),
              level::postfix};
    case Op::array:
      return {array_text(expr), level::postfix};
    case Op::call:
      return {call_text(expr), level::postfix};
    case Op::comprehension:
      return {fmt::format("{}({} in {}..{}: {})", expr->name, expr->bound, write(args[0], level::sum),
                          write(args[1], level::sum), write(args[2], level::any)),
              level::postfix};
    case Op::expectation:
      return {"E[" + write(args[0], level::sum) + "]", level::postfix};
    case Op::probability:
      return {"P[" + write(args[0], level::any) + "]", level::postfix};
    case Op::less:
      return {write(args[0], level::sum) + " < " + write(args[1], level::sum), level::relation};
    case Op::less_equal:
      return {write(args[0], level::sum) + " <= " + write(args[1], level::sum), level::relation};
    case Op::greater:
      return {write(args[0], level::sum) + " > " + write(args[1], level::sum), level::relation};
    case Op::greater_equal:
      return {write(args[0], level::sum) + " >= " + write(args[1], level::sum), level::relation};
    case Op::equal:
      return {write(args[0], level::sum) + " = " + write(args[1], level::sum), level::relation};
    case Op::order:
      return {write(args[0], level::sum) + " = O(" + write(args[1], level::sum) + ")", level::relation};
    case Op::conjunction:
      return joined(expr, " and ", level::conjunction);
    case Op::disjunction:
      return joined(expr, " or ", level::disjunction);
    case Op::negation:
      return {"not " + write(args[0], level::negation), level::negation};
    case Op::implication:
      return {write(args[0], level::disjunction) + " => " + write(args[1], level::implication), level::implication};
  }
  return {};
}

std::string write(const Expr& expr, int least) {
  auto [text, level] = spelled(expr);
  return level < least ? "(" + text + ")" : text;
}

std::string extents_text(const std::vector<Expr>& extents) {
  if (extents.empty()) return "";
  const bool plain = extents.size() == 1 &&
                     (extents[0]->op == Op::variable || (extents[0]->op == Op::number && extents[0]->value.is_whole() &&
                                                         extents[0]->value > rigor::Rational()));
  return plain ? "^" + write(extents[0], level::any) : "^(" + list(extents) + ")";
}

std::string set_text(const Set& set) {
  switch (set.kind) {
    case SetKind::reals:
      return "R" + extents_text(set.extents);
    case SetKind::interval:
      return fmt::format("{}{}{}{}", set.lower_open ? "(" : "[", list(set.args), set.upper_open ? ")" : "]",
                         extents_text(set.extents));
    case SetKind::range:
      return write(set.args[0], level::sum) + ".." + write(set.args[1], level::sum);
    case SetKind::finite:
      return "{" + list(set.args) + "}" + extents_text(set.extents);
    default:
      return fmt::format("{}({})", set_rule(set.kind).name, list(set.args));
  }
}

std::string binder_text(const Binder& binder) {
  std::string text = fmt::format("{}", fmt::join(binder.names, ", "));
  if (binder.quantifier == Quantifier::limit) return text + " -> " + write(binder.set.args[0], level::sum);
  if (binder.quantifier == Quantifier::random)
    return fmt::format("{} ~ {}({}){}", text, binder.law.name, list(binder.law.args), extents_text(binder.law.extents));
  text += " in " + set_text(binder.set);
  std::vector<std::string> conditions;
  for (const Expr& condition : binder.conditions) conditions.push_back(write(condition, level::negation));
  return conditions.empty() ? text : fmt::format("{} where {}", text, fmt::join(conditions, " and "));
}

constexpr std::array words = {"forall", "exists", "random", "best", "limit"};

std::string prefix_text(const Statement& statement) {
  std::string text;
  std::vector<std::string> definitions;
  for (const Definition& definition : statement.definitions)
    definitions.push_back(
        fmt::format("{}{} = {}", definition.name,
                    definition.parameters.empty() ? "" : fmt::format("({})", fmt::join(definition.parameters, ", ")),
                    write(definition.body, level::sum)));
  if (!definitions.empty()) text = fmt::format("let {}: ", fmt::join(definitions, ", "));
  for (const std::span<const Binder> binders : binders_together(statement)) {
    std::vector<std::string> together;
    for (const Binder& binder : binders) together.push_back(binder_text(binder));
    text +=
        fmt::format("{} {}: ", words[static_cast<std::size_t>(binders.front().quantifier)], fmt::join(together, ", "));
  }
  return text;
}

}  // namespace

std::string normal_form(const Expr& expression) { return write(expression, level::any); }

std::string normal_form(const Statement& statement) {
  std::string text = prefix_text(statement) + write(statement.claim, level::any);
  std::vector<std::string> tail;
  for (const Expr& condition : statement.conditions) tail.push_back(write(condition, level::negation));
  for (const Recursion& recursion : statement.recursions) {
    for (const Recursion::Start& start : recursion.start)
      tail.push_back(fmt::format("{}({}) = {}", recursion.name, start.at, write(start.value, level::sum)));
    tail.push_back(fmt::format("{}({} + {}) = {}", recursion.name, recursion.index, recursion.ahead,
                               write(recursion.step, level::sum)));
  }
  return tail.empty() ? text : fmt::format("{} where {}", text, fmt::join(tail, ", "));
}

}  // namespace attest::language
