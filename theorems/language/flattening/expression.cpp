// Flattening of names, numbers, indices and unrolled expressions; arithmetic stands in arithmetic.cpp.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "theorems/language/flattening/compiler.hpp"
#include "theorems/language/read.hpp"

namespace attest::language {

using rigor::Rational;

namespace {

/// "n = 5", or "5" where the statement writes the number itself.
std::string extent(const std::string& text, std::int64_t n) {
  const std::string number = std::to_string(n);
  return text.empty() || text == number ? number : fmt::format("{} = {}", text, number);
}

}  // namespace

std::string describe(const Value& value) {
  if (value.is_scalar()) return "a number";
  if (value.is_vector()) return fmt::format("a vector of {} entries", extent(value.rows_text, value.shape.rows));
  const std::string numbers = fmt::format("{} x {}", value.shape.rows, value.shape.cols);
  if ((value.rows_text.empty() || value.rows_text == std::to_string(value.shape.rows)) &&
      (value.cols_text.empty() || value.cols_text == std::to_string(value.shape.cols)))
    return fmt::format("a {} matrix", numbers);
  const auto text = [](const std::string& t, std::int64_t n) { return t.empty() ? std::to_string(n) : t; };
  return fmt::format("a ({}, {}) = {} matrix", text(value.rows_text, value.shape.rows),
                     text(value.cols_text, value.shape.cols), numbers);
}

Value Compiler::with(const Value& like, Register r) {
  return {.shape = like.shape, .rows_text = like.rows_text, .cols_text = like.cols_text, .reg = r};
}
Value Compiler::vector(Register r, std::int64_t n, std::string text) {
  return {.shape = {.rank = 1, .rows = n}, .rows_text = std::move(text), .reg = r};
}
Value Compiler::matrix(Register r, std::int64_t rows, std::int64_t cols, std::string rows_text, std::string cols_text) {
  return {.shape = {.rank = 2, .rows = rows, .cols = cols},
          .rows_text = std::move(rows_text),
          .cols_text = std::move(cols_text),
          .reg = r};
}

Value Compiler::expression(const Expr& e) {
  const Expr outer = builder_.written();
  builder_.set_written(e);
  Value result = evaluate(e);
  builder_.set_written(outer);
  return result;
}

Value Compiler::expression_over(const std::map<std::string, Value, std::less<>>& names, const Expr& e) {
  auto around = std::exchange(scopes_, {names});
  Value result = expression(e);
  scopes_ = std::move(around);
  return result;
}

Register Compiler::reg(const Value& value, const Expr& e) {
  if (value.reg) return *value.reg;
  if (value.infinite != 0)
    throw Problem(e->place, "inf is not a number here; it is an end of an interval or the order of a norm");
  return builder_.constant(*value.number);
}

std::optional<Value> Compiler::known(const Expr& e) {
  Value result = expression(e);
  if (!result.number && result.infinite == 0) return std::nullopt;
  return result;
}

std::int64_t Compiler::whole(const Expr& e, const std::string& what, std::int64_t least) {
  const auto value = known(e);
  if (!value)
    throw Problem(e->place, fmt::format("{} must be known before the statement is evaluated, and '{}' depends on a "
                                        "variable that is not whole; take it from a range such as 1..8",
                                        what, normal_form(e)));
  if (value->infinite != 0 || !value->number->is_whole())
    throw Problem(e->place, fmt::format("{} must be a whole number, and '{}' is {}", what, normal_form(e),
                                        value->infinite != 0 ? "infinite" : value->number->to_string()));
  std::int64_t result = 0;
  try {
    result = value->number->to_integer();
  } catch (const std::out_of_range&) {
    throw Problem(e->place, fmt::format("{} is too large: {}", what, value->number->to_string()));
  }
  if (result < least)
    throw Problem(e->place, fmt::format("{} must be at least {}, and '{}' is {}", what, least, normal_form(e), result));
  if (least == 1 && result > (std::int64_t{1} << 30))
    throw Problem(e->place, fmt::format("{} is too large for any memory: {}", what, result));
  return result;
}

Value Compiler::evaluate(const Expr& e) {
  count_step(e);
  switch (e->op) {
    case Op::number:
      return {.number = e->value};
    case Op::infinity:
      return {.infinite = 1};
    case Op::constant:
      return scalar(builder_.emit({.code = e->name == "pi" ? Code::pi : Code::euler}));
    case Op::variable:
      return variable(e);
    case Op::text:
    case Op::truth:
      throw Problem(e->place, fmt::format("'{}' is not a number; words are options of functions", e->name));
    case Op::index:
      return index(e);
    case Op::slice:
      return slice(e);
    case Op::array:
      return array(e);
    case Op::call:
      return call(e);
    case Op::comprehension:
      return comprehension(e);
    case Op::expectation:
    case Op::probability:
      return expectation(e);
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::divide:
    case Op::power:
    case Op::negate:
    case Op::times_elementwise:
    case Op::divide_elementwise:
    case Op::power_elementwise:
    case Op::transpose:
      return arithmetic(e);
    default:
      throw Problem(e->place,
                    fmt::format("'{}' is a relation, not a value; P[...] makes a number of it", normal_form(e)));
  }
}

Value Compiler::variable(const Expr& e) {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
    if (const auto found = scope->find(e->name); found != scope->end()) return found->second;
  for (const Definition& definition : statement_.definitions)
    if (definition.name == e->name && definition.parameters.empty()) return user_function(e, definition);
  throw Problem(e->place, fmt::format("'{}' is not bound; say what it is: forall {} in R", e->name, e->name));
}

Value Compiler::user_function(const Expr& e, const Definition& definition) {
  if (std::ranges::find(open_definitions_, definition.name) != open_definitions_.end())
    throw Problem(e->place, fmt::format("the definition of '{}' uses itself; write a recursion, where {}(0) = ..., "
                                        "{}(l+1) = ...",
                                        definition.name, definition.name, definition.name));
  if (e->args.size() != definition.parameters.size())
    throw Problem(e->place, fmt::format("'{}' takes {} arguments, not {}", definition.name,
                                        definition.parameters.size(), e->args.size()));
  std::map<std::string, Value, std::less<>> parameters;
  for (std::size_t i = 0; i < e->args.size(); ++i) parameters[definition.parameters[i]] = expression(e->args[i]);
  // The body sees the statement's variables and its own parameters, not the indices around the call.
  std::vector<std::map<std::string, Value, std::less<>>> around(scopes_.begin() + 1, scopes_.end());
  scopes_.resize(1);
  scopes_.push_back(std::move(parameters));
  open_definitions_.push_back(definition.name);
  Value result = expression(definition.body);
  open_definitions_.pop_back();
  scopes_.resize(1);
  scopes_.insert(scopes_.end(), around.begin(), around.end());
  return result;
}

Value Compiler::recursion(const Expr& e, const Recursion& recursion) {
  if (e->args.size() != 1)
    throw Problem(e->place,
                  fmt::format("'{}' takes one whole number, not {} arguments", recursion.name, e->args.size()));
  const std::int64_t wanted = whole(e->args[0], fmt::format("the argument of '{}'", recursion.name), INT64_MIN);
  auto& values = recursions_[recursion.name];
  if (values.empty())
    for (const Recursion::Start& start : recursion.start) values[start.at] = expression(start.value);
  if (values.empty() || wanted < values.begin()->first)
    throw Problem(e->place,
                  fmt::format("'{}({})' stands before the first value of the recursion", recursion.name, wanted));
  constexpr std::int64_t most = 1000000;
  if (wanted - values.begin()->first > most)
    throw Problem(e->place, fmt::format("'{}({})' needs more than a million steps; choose a smaller number",
                                        recursion.name, wanted));
  std::vector<std::map<std::string, Value, std::less<>>> around(scopes_.begin() + 1, scopes_.end());
  while (recursions_[recursion.name].rbegin()->first < wanted) {
    const std::int64_t next = recursions_[recursion.name].rbegin()->first + 1;
    scopes_.resize(1);
    scopes_.push_back({{recursion.index, Value{.number = Rational(next - recursion.ahead)}}});
    Value step = expression(recursion.step);
    recursions_[recursion.name][next] = std::move(step);
  }
  scopes_.resize(1);
  scopes_.insert(scopes_.end(), around.begin(), around.end());
  const auto found = recursions_[recursion.name].find(wanted);
  if (found == recursions_[recursion.name].end())
    throw Problem(e->place, fmt::format("the recursion gives no value '{}({})'", recursion.name, wanted));
  return found->second;
}

Value Compiler::call(const Expr& e) {
  for (const Definition& definition : statement_.definitions)
    if (definition.name == e->name && !definition.parameters.empty()) return user_function(e, definition);
  for (const Recursion& r : statement_.recursions)
    if (r.name == e->name) return recursion(e, r);
  return call_function(*this, e);
}

Value Compiler::index(const Expr& e) {
  const Value from = expression(e->args[0]);
  const auto position = [&](std::size_t k, std::int64_t extent, const std::string& text) {
    const std::int64_t i = whole(e->args[k], "an index", INT64_MIN);
    if (i < 1 || i > extent)
      throw Problem(e->args[k]->place,
                    fmt::format("index {} is outside of 1..{} in '{}'; indices count from 1 to {}", i, extent,
                                normal_form(e), text.empty() ? std::to_string(extent) : text));
    return static_cast<std::int32_t>(i - 1);
  };
  const auto cols = static_cast<std::int32_t>(from.shape.cols);
  if (from.is_scalar()) throw Problem(e->place, fmt::format("'{}' takes an entry of a number", normal_form(e)));
  if (e->args.size() == 3) {
    if (!from.is_matrix())
      throw Problem(e->place, fmt::format("'{}' takes two indices of {}; it has one", normal_form(e), describe(from)));
    const std::int32_t i = position(1, from.shape.rows, from.rows_text),
                       j = position(2, from.shape.cols, from.cols_text);
    return scalar(builder_.gather(*from.reg, {i * cols + j}, {}));
  }
  const std::int32_t i = position(1, from.shape.rows, from.rows_text);
  if (from.is_vector()) return scalar(builder_.gather(*from.reg, {i}, {}));
  std::vector<std::int32_t> table(static_cast<std::size_t>(cols));
  for (std::int32_t j = 0; j < cols; ++j) table[static_cast<std::size_t>(j)] = i * cols + j;
  return vector(builder_.gather(*from.reg, std::move(table), {.rank = 1, .rows = cols}), cols, from.cols_text);
}

Value Compiler::slice(const Expr& e) {
  const Value from = expression(e->args[0]);
  if (from.is_scalar()) throw Problem(e->place, fmt::format("'{}' takes a part of a number", normal_form(e)));
  const std::int64_t first = whole(e->args[1], "the first index", INT64_MIN);
  const std::int64_t last = whole(e->args[2], "the last index", INT64_MIN);
  if (first < 1 || last > from.shape.rows || last < first)
    throw Problem(e->place,
                  fmt::format("'{}' takes {}..{} of {}, counted from 1", normal_form(e), first, last, describe(from)));
  std::vector<std::int32_t> table;
  for (std::int64_t k = (first - 1) * from.shape.cols; k < last * from.shape.cols; ++k)
    table.push_back(static_cast<std::int32_t>(k));
  Value result = from;
  result.symmetric = false;
  result.shape.rows = last - first + 1;
  result.rows_text = first == 1 ? normal_form(e->args[2]) : std::string();
  result.reg = builder_.gather(*from.reg, std::move(table), result.shape);
  return result;
}

Value Compiler::array(const Expr& e) {
  if (e->args.empty()) throw Problem(e->place, "an array needs at least one entry");
  std::vector<Value> parts;
  std::vector<Register> regs;
  for (const Expr& arg : e->args) {
    parts.push_back(expression(arg));
    regs.push_back(reg(parts.back(), arg));
    if (parts.back().is_matrix())
      throw Problem(arg->place,
                    fmt::format("an array is made of numbers or of rows, not of {}", describe(parts.back())));
    if (!(parts.back().shape == parts.front().shape))
      throw Problem(arg->place, fmt::format("the rows of an array must be alike: {} stands after {}",
                                            describe(parts.back()), describe(parts.front())));
  }
  const auto count = static_cast<std::int64_t>(parts.size());
  if (parts.front().is_scalar()) return vector(builder_.pack(regs, {.rank = 1, .rows = count}), count, {});
  const std::int64_t cols = parts.front().shape.rows;
  Value result =
      matrix(builder_.pack(regs, {.rank = 2, .rows = count, .cols = cols}), count, cols, {}, parts.front().rows_text);
  // [a, b; b, c] is symmetric as it stands.
  const auto entry = [&](std::int64_t i, std::int64_t j) -> std::optional<Register> {
    const Instruction& row = builder_.instruction(regs[static_cast<std::size_t>(i)]);
    return row.code == Code::pack ? std::optional(row.args[static_cast<std::size_t>(j)]) : std::nullopt;
  };
  result.symmetric = count == cols;
  for (std::int64_t i = 0; i < count; ++i)
    for (std::int64_t j = 0; j < i && result.symmetric; ++j)
      result.symmetric = entry(i, j) && entry(i, j) == entry(j, i);
  return result;
}

std::pair<std::int64_t, std::int64_t> Compiler::indices(const Expr& e) {
  const std::int64_t from = whole(e->args[0], "the first index", INT64_MIN);
  const std::int64_t to = whole(e->args[1], "the last index", INT64_MIN);
  constexpr double most = 1e6;
  if (static_cast<double>(to) - static_cast<double>(from) > most)
    throw Problem(e->place, fmt::format("'{}' runs over more than a million indices; choose fewer", normal_form(e)));
  return {from, to};
}

/// Sums and products of numbers are exact up to this many bits: a harmonic sum of a million terms has three million.
constexpr std::int64_t longest_exact = 1 << 13;

Value Compiler::comprehension(const Expr& e) {
  const auto [from, to] = indices(e);
  std::vector<Value> parts;
  std::vector<Register> regs;
  Rational total = e->name == "prod" ? Rational(1) : Rational(0);
  bool exact = e->name == "sum" || e->name == "prod";
  for (std::int64_t i = from; i <= to; ++i) {
    scopes_.push_back({{e->bound, Value{.number = Rational(i)}}});
    Value part = expression(e->args[2]);
    scopes_.pop_back();
    exact = exact && part.number && total.bits() <= longest_exact;
    if (exact) total = e->name == "prod" ? total * *part.number : total + *part.number;
    parts.push_back(std::move(part));
    if (!(parts.back().shape == parts.front().shape))
      throw Problem(e->place, fmt::format("the terms of '{}' must have one shape: {} stands after {}", normal_form(e),
                                          describe(parts.back()), describe(parts.front())));
  }
  if (exact) return {.number = total};
  if (parts.empty())
    throw Problem(e->place, fmt::format("'{}' runs over no index: {}..{} is empty, and {} of nothing has no value",
                                        normal_form(e), from, to, e->name));
  for (const Value& part : parts) regs.push_back(reg(part, e->args[2]));
  if (!parts.front().is_scalar()) {
    // Sums, maxima, ... of arrays are taken entry by entry.
    const auto step = [&](Register a, Register b) {
      if (e->name == "max") return builder_.binary(Binary::max, a, b);
      if (e->name == "min") return builder_.binary(Binary::min, a, b);
      if (e->name == "prod")
        throw Problem(e->place, fmt::format("'{}' multiplies {}; a product runs over numbers", normal_form(e),
                                            describe(parts.front())));
      return builder_.add(a, b);
    };
    Register result = regs[0];
    for (std::size_t k = 1; k < regs.size(); ++k) result = step(result, regs[k]);
    if (e->name == "mean") result = builder_.scaled(result, Rational(1, static_cast<std::int64_t>(regs.size())));
    return with(parts.front(), result);
  }
  const auto count = static_cast<std::int64_t>(regs.size());
  const Register all = builder_.pack(regs, {.rank = 1, .rows = count});
  const Code code = e->name == "prod"  ? Code::product
                    : e->name == "max" ? Code::largest
                    : e->name == "min" ? Code::least
                                       : Code::sum;
  const Register result = builder_.reduce(code, all, count);
  return scalar(e->name == "mean" ? builder_.scaled(result, Rational(1, count)) : result);
}

}  // namespace attest::language
