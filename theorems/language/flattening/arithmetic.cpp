// Flattening of + - * / ^ and their kin: which shapes fit, and numbers that are known exactly.
#include <cstdlib>

#include <fmt/format.h>

#include "theorems/language/flattening/compiler.hpp"
#include "theorems/language/read.hpp"

namespace attest::language {

using rigor::Rational;

namespace {

/// Exact powers stay exact up to this many steps; beyond, they are evaluated.
constexpr std::int64_t largest_exact_exponent = 4096;

/// Numbers stay exact up to this many bits; beyond, as in the 40th step of K(l+1) = K(l) - K(l)^2, they are evaluated.
constexpr slong most_bits = 16384;

slong bits_of(const Rational& number) {
  return static_cast<slong>(fmpz_bits(fmpq_numref(number.raw())) + fmpz_bits(fmpq_denref(number.raw())));
}

Rational whole_power(const Rational& base, std::int64_t exponent) {
  Rational result;
  fmpq_pow_si(result.raw(), base.raw(), exponent);
  return result;
}

/// A of A' or transpose(A); nothing else.
Expr transposed(const Expr& e) {
  const bool is_transpose = e->op == Op::transpose || (e->op == Op::call && e->name == "transpose");
  return is_transpose && e->args.size() == 1 ? e->args[0] : nullptr;
}

/// The factors of a product, from the left: those that are numbers, those that are not.
struct Factors {
  std::vector<Expr> numbers, matrices;

  Factors(Compiler& compiler, const Expr& e) { collect(compiler, e); }
  void collect(Compiler& compiler, const Expr& e) {
    if (e->op == Op::multiply) {
      for (const Expr& each : e->args) collect(compiler, each);
    } else {
      (compiler.expression(e).is_scalar() ? numbers : matrices).push_back(e);
    }
  }
};

/// One is written as the other's transpose: A and A', the same numbers times them, A B' and B A', A B and B A for
/// symmetric A and B, or such divided by the same.
bool transposes(Compiler& compiler, const Expr& x, const Expr& y) {
  if (const Expr inner = transposed(y); inner && same(inner, x)) return true;
  if (const Expr inner = transposed(x); inner && same(inner, y)) return true;
  if (x->op != y->op) return false;
  if (x->op == Op::divide) return same(x->args[1], y->args[1]) && transposes(compiler, x->args[0], y->args[0]);
  if (x->op != Op::multiply) return false;
  const Factors one(compiler, x), other(compiler, y);
  return std::ranges::equal(one.numbers, other.numbers, [](const Expr& a, const Expr& b) { return same(a, b); }) &&
         std::equal(one.matrices.begin(), one.matrices.end(), other.matrices.rbegin(), other.matrices.rend(),
                    [&](const Expr& a, const Expr& b) {
                      return transposes(compiler, a, b) || (same(a, b) && compiler.expression(a).symmetric);
                    });
}

/// Shapes for which a binary operation entry by entry has a meaning.
bool fit(const Value& a, const Value& b) { return a.is_scalar() || b.is_scalar() || a.shape == b.shape; }

const char* verb(Op op) {
  switch (op) {
    case Op::add:
      return "adds";
    case Op::subtract:
      return "subtracts";
    default:
      return "combines";
  }
}

}  // namespace

Value Compiler::entrywise(const Expr& e, Binary f, const Value& a, const Value& b) {
  if (!fit(a, b)) {
    const char* joined = e->op == Op::subtract ? "from" : e->op == Op::add ? "to" : "with";
    const Value& first = e->op == Op::add || e->op == Op::subtract ? b : a;
    const Value& second = e->op == Op::add || e->op == Op::subtract ? a : b;
    throw Problem(e->place, fmt::format("'{}' {} {} {} {}; both must have one shape", normal_form(e), verb(e->op),
                                        describe(first), joined, describe(second)));
  }
  const Value& like = a.is_scalar() ? b : a;
  Value result = with(like, builder_.binary(f, reg(a, e->args[0]), reg(b, e->args[1])));
  if (result.rows_text.empty() && !a.is_scalar() && !b.is_scalar()) {
    result.rows_text = b.rows_text;
    result.cols_text = b.cols_text;
  }
  result.row = like.row;
  // A + A' is symmetric whatever A is.
  result.symmetric = ((a.symmetric || a.is_scalar()) && (b.symmetric || b.is_scalar())) ||
                     (e->op == Op::add && a.is_square() && b.is_square() && transposes(*this, e->args[0], e->args[1]));
  return result;
}

Value Compiler::product(const Expr& e, const Value& a, const Value& b) {
  if (a.is_scalar() || b.is_scalar()) return entrywise(e, Binary::multiply, a, b);
  if (a.is_vector() && b.is_vector())
    throw Problem(e->place,
                  fmt::format("'{}' multiplies two vectors; say dot(x, y), outer(x, y) or x .* y", normal_form(e)));
  if (a.is_vector() && b.row) {
    const Shape shape{.rank = 2, .rows = a.shape.rows, .cols = b.shape.cols};
    Value result = matrix(builder_.matmul(*a.reg, *b.reg, shape), shape.rows, shape.cols, a.rows_text, b.cols_text);
    result.symmetric = transposes(*this, e->args[0], e->args[1]);
    return result;
  }
  if (a.is_vector())
    throw Problem(e->place,
                  fmt::format("'{}' multiplies {} by {}; write A'*x for the product with a vector on the left",
                              normal_form(e), describe(a), describe(b)));
  if (a.shape.cols != b.shape.rows) {
    std::string second = describe(b);
    if (b.is_matrix()) second = second.substr(0, second.size() - std::string(" matrix").size()) + " one";
    throw Problem(e->place,
                  fmt::format("'{}' multiplies {} by {}; the columns of the first must be as many as the rows "
                              "of the second",
                              normal_form(e), describe(a), second));
  }
  if (a.row && b.is_vector()) return scalar(builder_.matmul(*a.reg, *b.reg, {}));
  if (b.is_vector())
    return vector(builder_.matmul(*a.reg, *b.reg, {.rank = 1, .rows = a.shape.rows}), a.shape.rows, a.rows_text);
  Value result = matrix(builder_.matmul(*a.reg, *b.reg, {.rank = 2, .rows = a.shape.rows, .cols = b.shape.cols}),
                        a.shape.rows, b.shape.cols, a.rows_text, b.cols_text);
  result.row = a.row;
  // A A', A' A, Q A Q' and A B A.
  result.symmetric = result.is_square() && (transposes(*this, e->args[0], e->args[1]) || transposes(*this, e, e));
  return result;
}

Value Compiler::raised(const Expr& e, const Value& a, const Value& b, bool elementwise) {
  if (!b.is_scalar() && !(elementwise && a.is_scalar()) && !(elementwise && a.shape == b.shape))
    throw Problem(e->place, fmt::format("'{}' has {} as exponent; it must be a number", normal_form(e), describe(b)));
  if (!a.is_scalar() && !elementwise) {
    if (!a.is_square())
      throw Problem(e->place, fmt::format("'{}' is a power of {}; write .^ for powers entry by entry", normal_form(e),
                                          describe(a)));
    const std::int64_t k = whole(e->args[1], "the exponent of a matrix", 0);
    if (k > largest_exact_exponent) throw Problem(e->place, fmt::format("the power {} of a matrix is too large", k));
    Value result = a;
    if (k == 0) {
      std::vector<std::int32_t> table(static_cast<std::size_t>(a.shape.size()), -1);
      for (std::int64_t i = 0; i < a.shape.rows; ++i) table[static_cast<std::size_t>(i * (a.shape.cols + 1))] = 0;
      result.reg = builder_.gather(builder_.constant(Rational(1)), std::move(table), a.shape);
      result.symmetric = true;
      return result;
    }
    // Repeated squaring.
    std::optional<Register> power;
    Register square = *a.reg;
    for (std::int64_t rest = k;; rest /= 2) {
      if (rest % 2 == 1) power = power ? builder_.matmul(*power, square, a.shape) : square;
      if (rest <= 1) break;
      square = builder_.matmul(square, square, a.shape);
    }
    result.reg = power;
    return result;
  }
  if (b.infinite != 0) (void)reg(b, e->args[1]);
  if (b.number) {
    if (a.number && b.number->is_whole() && *b.number >= Rational(-largest_exact_exponent) &&
        *b.number <= Rational(largest_exact_exponent) &&
        bits_of(*a.number) * std::abs(b.number->to_integer()) <= most_bits &&
        !(*a.number == Rational(0) && *b.number < Rational(0)))
      return {.number = whole_power(*a.number, b.number->to_integer())};
    Value result = with(a, builder_.power(reg(a, e->args[0]), *b.number));
    result.symmetric = a.symmetric;
    return result;
  }
  return entrywise(e, Binary::power, a, b);
}

Value Compiler::arithmetic(const Expr& e) {
  Value a = expression(e->args[0]);
  if (e->op == Op::negate) {
    if (a.infinite != 0) return {.infinite = -a.infinite};
    if (a.number) return {.number = -*a.number};
    Value result = with(a, builder_.unary(Unary::negate, *a.reg));
    result.row = a.row;
    result.symmetric = a.symmetric;
    return result;
  }
  if (e->op == Op::transpose) {
    if (a.is_scalar()) return a;
    if (a.is_vector()) {
      // A row: x' is the 1 x n matrix.
      std::vector<std::int32_t> table(static_cast<std::size_t>(a.shape.rows));
      for (std::size_t i = 0; i < table.size(); ++i) table[i] = static_cast<std::int32_t>(i);
      const Shape shape{.rank = 2, .rows = 1, .cols = a.shape.rows};
      Value result = matrix(builder_.gather(*a.reg, std::move(table), shape), 1, shape.cols, {}, a.rows_text);
      result.row = true;
      return result;
    }
    if (a.row) {
      std::vector<std::int32_t> table(static_cast<std::size_t>(a.shape.cols));
      for (std::size_t i = 0; i < table.size(); ++i) table[i] = static_cast<std::int32_t>(i);
      return vector(builder_.gather(*a.reg, std::move(table), {.rank = 1, .rows = a.shape.cols}), a.shape.cols,
                    a.cols_text);
    }
    if (a.symmetric) return a;
    return matrix(builder_.transpose(*a.reg), a.shape.cols, a.shape.rows, a.cols_text, a.rows_text);
  }
  const Value b = expression(e->args[1]);
  if (e->op == Op::power || e->op == Op::power_elementwise) return raised(e, a, b, e->op == Op::power_elementwise);
  if (a.number && b.number && bits_of(*a.number) + bits_of(*b.number) <= most_bits) {
    switch (e->op) {
      case Op::add:
        return {.number = *a.number + *b.number};
      case Op::subtract:
        return {.number = *a.number - *b.number};
      case Op::multiply:
      case Op::times_elementwise:
        return {.number = *a.number * *b.number};
      default:
        if (!(*b.number == Rational(0))) return {.number = *a.number / *b.number};
    }
  }
  // 1/inf is 0: the order of a norm's dual.
  if (a.number && b.infinite != 0 && e->op == Op::divide) return {.number = Rational(0)};
  switch (e->op) {
    case Op::add:
      return entrywise(e, Binary::add, a, b);
    case Op::subtract:
      return entrywise(e, Binary::subtract, a, b);
    case Op::times_elementwise:
      return entrywise(e, Binary::multiply, a, b);
    case Op::divide_elementwise:
      return entrywise(e, Binary::divide, a, b);
    case Op::multiply:
      return product(e, a, b);
    default:
      break;
  }
  if (!b.is_scalar())
    throw Problem(e->place, fmt::format("'{}' divides by {}; write ./ to divide entry by entry, or inverse(A)",
                                        normal_form(e), describe(b)));
  return entrywise(e, Binary::divide, a, b);
}

}  // namespace attest::language
