// Norms and the algebra of vectors and matrices as instructions.
#include <algorithm>

#include <fmt/format.h>

#include "theorems/language/flattening/call.hpp"
#include "theorems/language/read.hpp"

namespace attest::language {

using rigor::Rational;

namespace {

Value constant_value(const Rational& x) { return {.number = x}; }

Value mapped(Call& call, Register r) { return Compiler::with(call.args[0], r); }

/// Rows of the transposed matrix: reductions by columns.
Register columns_first(Call& call) { return call.b.transpose(call.reg(0)); }

Value vector_norm(Call& call, const Value& order) {
  const Value& x = call.args[0];
  const std::int64_t n = x.shape.size();
  if (order.infinite > 0) return call.c.scalar(call.b.reduce(Code::norm_inf, call.reg(0), n));
  if (order.number) {
    if (*order.number < Rational(1))
      throw Problem(call.e->place, fmt::format("a norm's order is at least 1, and '{}' has {}", normal_form(call.e),
                                               order.number->to_string()));
    if (*order.number == Rational(1)) return call.c.scalar(call.b.reduce(Code::norm_1, call.reg(0), n));
    if (*order.number == Rational(2)) return call.c.scalar(call.b.reduce(Code::norm_2, call.reg(0), n));
  }
  const Register p = order.number ? call.b.constant(*order.number) : *order.reg;
  return call.c.scalar(call.b.emit({.code = Code::norm_p, .args = {call.reg(0), p}, .length = n}));
}

/// The norms of matrices that the vector norms 1, 2 and inf induce.
Value induced_norm(Call& call, const Value& order) {
  const Shape shape = call.args[0].shape;
  if (order.number && *order.number == Rational(2))
    return call.c.scalar(call.b.of_matrix(Code::operator_norm, call.reg(0), {}));
  const bool one = order.number && *order.number == Rational(1);
  if (!one && order.infinite <= 0)
    throw Problem(call.e->place, fmt::format("'{}': a matrix has the induced norms of order 1, 2 and inf here, and "
                                             "frobenius(A)",
                                             normal_form(call.e)));
  const Register rows = one ? columns_first(call) : call.reg(0);
  const std::int64_t length = one ? shape.rows : shape.cols, count = one ? shape.cols : shape.rows;
  const Register sums = call.b.reduce(Code::norm_1, rows, length, {.rank = 1, .rows = count});
  return call.c.scalar(call.b.reduce(Code::largest, sums, count));
}

Value norm(Call& call) {
  const Value& x = call.args[0];
  if (x.is_scalar()) return call.c.scalar(call.b.unary(Unary::abs, call.reg(0)));
  if (x.is_vector()) return vector_norm(call, call.args.size() > 1 ? call.args[1] : constant_value(Rational(2)));
  if (call.args.size() < 2)
    throw Problem(call.e->place, fmt::format("'{}' is ambiguous for {}; say frobenius(A), opnorm(A), norm(A, 1) or "
                                             "norm(A, inf)",
                                             normal_form(call.e), describe(x)));
  return induced_norm(call, call.args[1]);
}

/// Half the largest l1 distance between two rows.
Value dobrushin(Call& call) {
  call.need_matrix(0);
  const std::int64_t n = call.args[0].shape.rows, d = call.args[0].shape.cols;
  if (n == 1) return constant_value(Rational(0));
  call.b.need(static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(d));
  std::vector<std::int32_t> first, second;
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = i + 1; j < n; ++j)
      for (std::int64_t k = 0; k < d; ++k) {
        first.push_back(static_cast<std::int32_t>(i * d + k));
        second.push_back(static_cast<std::int32_t>(j * d + k));
      }
  const std::int64_t pairs = n * (n - 1) / 2;
  const Shape shape{.rank = 2, .rows = pairs, .cols = d};
  const Register difference = call.b.subtract(call.b.gather(call.reg(0), std::move(first), shape),
                                              call.b.gather(call.reg(0), std::move(second), shape));
  const Register distances = call.b.reduce(Code::norm_1, difference, d, {.rank = 1, .rows = pairs});
  return call.c.scalar(call.b.scaled(call.b.reduce(Code::largest, distances, pairs), Rational(1, 2)));
}

Value diagonal(Call& call) {
  call.need_array(0);
  const Value& x = call.args[0];
  const std::int64_t n = x.is_vector() ? x.shape.rows : std::min(x.shape.rows, x.shape.cols);
  std::vector<std::int32_t> table;
  if (x.is_matrix()) {
    for (std::int64_t i = 0; i < n; ++i) table.push_back(static_cast<std::int32_t>(i * (x.shape.cols + 1)));
    return Compiler::vector(call.b.gather(call.reg(0), std::move(table), {.rank = 1, .rows = n}), n, x.rows_text);
  }
  call.b.need(static_cast<double>(n) * static_cast<double>(n));
  table.assign(static_cast<std::size_t>(n * n), -1);
  for (std::int64_t i = 0; i < n; ++i) table[static_cast<std::size_t>(i * (n + 1))] = static_cast<std::int32_t>(i);
  const Register r = call.b.gather(call.reg(0), std::move(table), {.rank = 2, .rows = n, .cols = n});
  Value result = Compiler::matrix(r, n, n, x.rows_text, x.rows_text);
  result.symmetric = true;
  return result;
}

Value trace(Call& call) {
  call.need_square(0);
  const Value d = diagonal(call);
  return call.c.scalar(call.b.reduce(Code::sum, *d.reg, d.shape.rows));
}

Value eigenvalue(Call& call, const std::string& which) {
  call.need_symmetric(0);
  const std::int64_t n = call.args[0].shape.rows;
  const Register all = call.b.of_matrix(Code::symmetric_eigenvalues, call.reg(0), {.rank = 1, .rows = n});
  if (which == "eigenvalues") return Compiler::vector(all, n, call.args[0].rows_text);
  return call.c.scalar(call.b.gather(all, {which == "eigmax" ? static_cast<std::int32_t>(n - 1) : 0}, {}));
}

Value dot(Call& call) {
  call.need_array(0);
  call.need_same_shape();
  const Register products = call.b.multiply(call.reg(0), call.reg(1));
  return call.c.scalar(call.b.reduce(Code::sum, products, call.args[0].shape.size()));
}

Value outer(Call& call) {
  call.need_vector(0);
  call.need_vector(1);
  const Value &x = call.args[0], &y = call.args[1];
  const Shape shape{.rank = 2, .rows = x.shape.rows, .cols = y.shape.rows};
  Value result = Compiler::matrix(call.b.matmul(call.reg(0), call.reg(1), shape), shape.rows, shape.cols, x.rows_text,
                                  y.rows_text);
  result.symmetric = call.reg(0) == call.reg(1);
  return result;
}

using Rule = Value (*)(Call&);

const std::map<std::string, Rule, std::less<>>& rules() {
  static const std::map<std::string, Rule, std::less<>> all = {
      {"norm", norm},
      {"frobenius",
       [](Call& k) {
         k.need_matrix(0);
         return k.c.scalar(k.b.reduce(Code::norm_2, k.reg(0), k.args[0].shape.size()));
       }},
      {"opnorm",
       [](Call& k) {
         k.need_matrix(0);
         return induced_norm(k, k.args.size() > 1 ? k.args[1] : constant_value(Rational(2)));
       }},
      {"dot", dot},
      {"outer", outer},
      {"transpose",
       [](Call& k) {
         k.need_matrix(0);
         const Value& a = k.args[0];
         return Compiler::matrix(k.b.transpose(k.reg(0)), a.shape.cols, a.shape.rows, a.cols_text, a.rows_text);
       }},
      {"trace", trace},
      {"det",
       [](Call& k) {
         k.need_square(0);
         return k.c.scalar(k.b.of_matrix(Code::determinant, k.reg(0), {}));
       }},
      {"logdet",
       [](Call& k) {
         k.need_square(0);
         return k.c.scalar(k.b.of_matrix(Code::log_determinant, k.reg(0), {}));
       }},
      {"inverse",
       [](Call& k) {
         k.need_square(0);
         Value result = mapped(k, k.b.of_matrix(Code::inverse, k.reg(0), k.args[0].shape));
         result.symmetric = k.args[0].symmetric;
         return result;
       }},
      {"eigenvalues", [](Call& k) { return eigenvalue(k, "eigenvalues"); }},
      {"eigmax", [](Call& k) { return eigenvalue(k, "eigmax"); }},
      {"eigmin", [](Call& k) { return eigenvalue(k, "eigmin"); }},
      {"singular_values",
       [](Call& k) {
         k.need_matrix(0);
         const std::int64_t n = std::min(k.args[0].shape.rows, k.args[0].shape.cols);
         return Compiler::vector(k.b.of_matrix(Code::singular_values, k.reg(0), {.rank = 1, .rows = n}), n, {});
       }},
      {"dobrushin", dobrushin},
      {"diag", diagonal},
  };
  return all;
}

}  // namespace

std::optional<Value> call_matrix_function(Call& call) {
  const auto rule = rules().find(call.e->name);
  return rule == rules().end() ? std::nullopt : std::optional(rule->second(call));
}

}  // namespace attest::language
