// TeX of statements, within what KaTeX typesets.
#include <algorithm>
#include <cctype>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "theorems/language/functions.hpp"
#include "theorems/language/make.hpp"
#include "theorems/language/read.hpp"
#include "theorems/language/writing/levels.hpp"
#include "theorems/language/writing/number_text.hpp"
#include "theorems/language/writing/tex_call.hpp"
#include "theorems/language/writing/tex_set.hpp"

namespace attest::language {
namespace {

std::string write(const Expr& expr, int least);

std::string in_square(const std::string& text) {
  return is_flat(text) ? "[" + text + "]" : "\\left[" + text + "\\right]";
}

std::vector<std::string> each(const std::vector<Expr>& exprs) {
  std::vector<std::string> all;
  for (const Expr& expr : exprs) all.push_back(write(expr, level::any));
  return all;
}

std::string right(const Expr& expr, int least) {
  std::string text = write(expr, least);
  return text.front() == '-' ? in_brackets(text) : text;
}

std::pair<std::string, int> infix(const Expr& expr, std::string_view between, int level) {
  return {write(expr->args[0], level) + std::string(between) + right(expr->args[1], level + 1), level};
}

std::pair<std::string, int> joined(const Expr& expr, std::string_view word, int level) {
  std::vector<std::string> all;
  for (const Expr& arg : expr->args) all.push_back(write(arg, level + 1));
  return {fmt::format("{}", fmt::join(all, word)), level};
}

std::pair<std::string, int> tex_of_number(const rigor::Rational& value) {
  std::string text = number_text(value);
  const bool negative = text.front() == '-';
  if (negative) text.erase(0, 1);
  int level = level::postfix;
  if (const auto slash = text.find('/'); slash != std::string::npos) {
    text = fmt::format("\\frac{{{}}}{{{}}}", text.substr(0, slash), text.substr(slash + 1));
    level = level::product;
  } else if (const auto e = text.find('e'); e != std::string::npos) {
    const std::string exponent = "10^{" + text.substr(e + 1) + "}";
    text = text.substr(0, e) == "1" ? exponent : text.substr(0, e) + " \\cdot " + exponent;
    level = level::product;
  }
  return negative ? std::pair("-" + text, static_cast<int>(std::min<int>(level, level::sign))) : std::pair(text, level);
}

/// 2 x, but 2 \cdot 3: a product is written side by side where no digits meet.
std::pair<std::string, int> side_by_side(const Expr& expr) {
  const std::string left = write(expr->args[0], level::product), second = right(expr->args[1], level::sign);
  const bool digits = std::isdigit(static_cast<unsigned char>(second.front())) != 0 || second.starts_with("\\frac") ||
                      second.starts_with("10^");
  return {left + (digits ? " \\cdot " : " \\, ") + second, level::product};
}

std::string array_text(const Expr& expr) {
  bool matrix = !expr->args.empty();
  for (const Expr& row : expr->args) matrix = matrix && row->op == Op::array;
  if (!matrix) return in_brackets(fmt::format("{}", fmt::join(each(expr->args), ", ")));
  std::vector<std::string> rows;
  for (const Expr& row : expr->args) rows.push_back(fmt::format("{}", fmt::join(each(row->args), " & ")));
  return fmt::format("\\begin{{pmatrix}} {} \\end{{pmatrix}}", fmt::join(rows, " \\\\ "));
}

std::string call_text(const Expr& expr) {
  std::vector<std::string> options;
  for (const Option& option : expr->options)
    options.push_back(option.value->op == Op::truth && option.value->name == "true"
                          ? fmt::format("\\text{{{}}}", tex_text(option.name))
                          : fmt::format("\\text{{{}}} = {}", tex_text(option.name), write(option.value, level::sum)));
  // A function of the statement's own is a name; the language's have their notation.
  if (find_function(expr->name) == nullptr)
    return tex_name(expr->name) + in_brackets(fmt::format("{}", fmt::join(each(expr->args), ", ")));
  return tex_call(*expr, each(expr->args), options);
}

std::pair<std::string, int> comprehension(const Expr& expr) {
  const std::string from = write(expr->args[0], level::sum), to = write(expr->args[1], level::sum),
                    index = tex_name(expr->bound);
  if (is_logical(expr))
    return {fmt::format("\\{} {} \\in \\{{{}, \\dots, {}\\}}\\colon {}", expr->name == "all" ? "forall" : "exists",
                        index, from, to, write(expr->args[2], level::any)),
            level::implication};
  const std::string body = write(expr->args[2], level::product);
  if (expr->name == "sum" || expr->name == "prod")
    return {fmt::format("\\{}_{{{} = {}}}^{{{}}} {}", expr->name, index, from, to, body), level::product};
  const std::string head = expr->name == "mean" ? "\\operatorname*{mean}" : "\\" + expr->name;
  return {fmt::format("{}_{{{} \\le {} \\le {}}} {}", head, from, index, to, body), level::product};
}

/// TeX takes one index and one exponent: a base that has such a `sign` already is kept together.
std::string base(const Expr& expr, char sign_of_tex) {
  std::string text = write(expr, level::postfix);
  int depth = 0;
  for (const char c : text) {
    depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    if (depth == 0 && c == sign_of_tex) return "{" + text + "}";
  }
  return text;
}

std::pair<std::string, int> spelled(const Expr& expr) {
  const auto& args = expr->args;
  switch (expr->op) {
    case Op::number:
      return tex_of_number(expr->value);
    case Op::infinity:
      return {"\\infty", level::postfix};
    case Op::constant:
      return {expr->name == "pi" ? "\\pi" : "\\mathrm{e}", level::postfix};
    case Op::variable:
      return {tex_name(expr->name), level::postfix};
    case Op::truth:
    case Op::text:
      return {fmt::format("\\text{{{}}}", tex_text(expr->name)), level::postfix};
    case Op::add:
      return infix(expr, " + ", level::sum);
    case Op::subtract:
      return infix(expr, " - ", level::sum);
    case Op::multiply:
      return side_by_side(expr);
    case Op::divide:
      return {fmt::format("\\frac{{{}}}{{{}}}", write(args[0], level::any), write(args[1], level::any)),
              level::product};
    case Op::times_elementwise:
      return infix(expr, " \\odot ", level::product);
    case Op::divide_elementwise:
      return infix(expr, " \\oslash ", level::product);
    case Op::power:
      return {fmt::format("{}^{{{}}}", base(args[0], '^'), write(args[1], level::any)), level::power};
    case Op::power_elementwise:
      return {fmt::format("{}^{{\\circ {}}}", base(args[0], '^'), write(args[1], level::sign)), level::power};
    case Op::negate:
      return {"-" + right(args[0], level::product), level::sum};
    case Op::transpose:
      return {base(args[0], '^') + "^{\\top}", level::postfix};
    case Op::index:
    case Op::slice: {
      const std::vector<std::string> indices = each({args.begin() + 1, args.end()});
      return {fmt::format("{}_{{{}}}", base(args[0], '_'), fmt::join(indices, expr->op == Op::slice ? ":" : ", ")),
              level::postfix};
    }
    case Op::array:
      return {array_text(expr), level::postfix};
    case Op::call:
      return {call_text(expr), level::postfix};
    case Op::comprehension:
      return comprehension(expr);
    case Op::expectation:
      return {"\\mathbb{E}" + in_square(write(args[0], level::any)), level::postfix};
    case Op::probability:
      return {"\\mathbb{P}" + in_square(write(args[0], level::any)), level::postfix};
    case Op::less:
      return {write(args[0], level::sum) + " < " + write(args[1], level::sum), level::relation};
    case Op::less_equal:
      return {write(args[0], level::sum) + " \\le " + write(args[1], level::sum), level::relation};
    case Op::greater:
      return {write(args[0], level::sum) + " > " + write(args[1], level::sum), level::relation};
    case Op::greater_equal:
      return {write(args[0], level::sum) + " \\ge " + write(args[1], level::sum), level::relation};
    case Op::equal:
      return {write(args[0], level::sum) + " = " + write(args[1], level::sum), level::relation};
    case Op::order:
      return {write(args[0], level::sum) + " = O" + in_brackets(write(args[1], level::any)), level::relation};
    case Op::conjunction:
      return joined(expr, " \\text{ and } ", level::conjunction);
    case Op::disjunction:
      return joined(expr, " \\text{ or } ", level::disjunction);
    case Op::negation:
      return {"\\text{not } " + write(args[0], level::negation), level::negation};
    case Op::implication:
      return {write(args[0], level::disjunction) + " \\implies " + write(args[1], level::implication),
              level::implication};
  }
  return {};
}

std::string write(const Expr& expr, int least) {
  auto [text, level] = spelled(expr);
  return level < least ? in_brackets(text) : text;
}

std::string binder_text(const Binder& binder) {
  std::vector<std::string> names;
  for (const std::string& name : binder.names) names.push_back(tex_name(name));
  std::string text = fmt::format("{}", fmt::join(names, ", "));
  switch (binder.quantifier) {
    case Quantifier::limit:
      return text + " \\to " + write(binder.set.args[0], level::sum);
    case Quantifier::random:
      return text + " \\sim " + tex_law(binder.law);
    default:
      text += " \\in " + tex_set(binder.set);
  }
  std::vector<std::string> conditions;
  for (const Expr& condition : binder.conditions) conditions.push_back(write(condition, level::negation));
  return conditions.empty() ? text
                            : fmt::format("{} \\text{{ with }} {}", text, fmt::join(conditions, " \\text{ and } "));
}

std::string word(Quantifier quantifier) {
  switch (quantifier) {
    case Quantifier::forall:
      return "\\forall ";
    case Quantifier::exists:
      return "\\exists ";
    case Quantifier::random:
      return "";
    case Quantifier::best:
      return "\\text{least } ";
    case Quantifier::limit:
      return "\\text{as } ";
  }
  return "";
}

std::string prefix_text(const Statement& statement) {
  std::vector<std::string> parts;
  for (const Definition& definition : statement.definitions) {
    std::vector<std::string> parameters;
    for (const std::string& parameter : definition.parameters) parameters.push_back(tex_name(parameter));
    parts.push_back(fmt::format("{}{} := {}", tex_name(definition.name),
                                parameters.empty() ? "" : fmt::format("({})", fmt::join(parameters, ", ")),
                                write(definition.body, level::sum)));
  }
  std::string text = parts.empty() ? "" : fmt::format("{}\\colon\\; ", fmt::join(parts, ",\\; "));
  for (const std::span<const Binder> binders : binders_together(statement)) {
    std::vector<std::string> together;
    for (const Binder& binder : binders) together.push_back(binder_text(binder));
    text += fmt::format("{}{}\\colon\\; ", word(binders.front().quantifier), fmt::join(together, ",\\; "));
  }
  return text;
}

}  // namespace

std::string tex(const Expr& expression) { return write(expression, level::any); }

std::string tex(const Statement& statement) {
  std::string text = prefix_text(statement) + write(statement.claim, level::any);
  std::vector<std::string> tail;
  for (const Expr& condition : statement.conditions) tail.push_back(write(condition, level::negation));
  for (const Recursion& recursion : statement.recursions) {
    const std::string name = tex_name(recursion.name);
    for (const Recursion::Start& start : recursion.start)
      tail.push_back(fmt::format("{}({}) = {}", name, start.at, write(start.value, level::sum)));
    tail.push_back(fmt::format("{}({} + {}) = {}", name, tex_name(recursion.index), recursion.ahead,
                               write(recursion.step, level::sum)));
  }
  return tail.empty() ? text : fmt::format("{} \\quad\\text{{where }} {}", text, fmt::join(tail, ",\\; "));
}

}  // namespace attest::language
