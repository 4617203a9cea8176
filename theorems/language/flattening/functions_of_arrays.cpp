// The functions of the language as instructions: entry by entry, reductions, arrays of a given size; others stand in
// functions_of_matrices.cpp and functions_of_attention.cpp.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "theorems/language/flattening/call.hpp"
#include "theorems/language/functions.hpp"
#include "theorems/language/read.hpp"

namespace attest::language {

using rigor::Rational;

Call::Call(Compiler& compiler, Expr call) : c(compiler), b(compiler.builder()), e(std::move(call)) {
  const Function* function = find_function(e->name);
  for (const Expr& arg : e->args) args.push_back(compiler.expression(arg));
  // f(x, eps = 1): options that name a parameter stand at its place.
  if (function == nullptr) return;
  for (const Option& option : e->options) {
    const auto found = std::ranges::find(function->parameters, option.name);
    if (found == function->parameters.end() ||
        static_cast<std::size_t>(found - function->parameters.begin()) != args.size())
      throw Problem(option.value->place, fmt::format("'{}' takes no option '{}' here; call it as {}", e->name,
                                                     option.name, how_to_call(*function)));
    args.push_back(compiler.expression(option.value));
    option_args.push_back(option.value);
  }
  if (args.size() < function->required || (!function->any_number && args.size() > function->parameters.size()))
    throw Problem(e->place, fmt::format("'{}' takes {} argument{} here; call it as {}", e->name, args.size(),
                                        args.size() == 1 ? "" : "s", how_to_call(*function)));
}

Register Call::reg(std::size_t k) const {
  return c.reg(args[k], k < e->args.size() ? e->args[k] : option_args[k - e->args.size()]);
}

void Call::refuse(std::size_t k, const std::string& wanted) const {
  throw Problem(e->place, fmt::format("'{}' needs {}, not {}", normal_form(e), wanted, describe(args[k])));
}
void Call::need_vector(std::size_t k) const {
  if (!args[k].is_vector()) refuse(k, "a vector");
}
void Call::need_matrix(std::size_t k) const {
  if (!args[k].is_matrix()) refuse(k, "a matrix");
}
void Call::need_square(std::size_t k) const {
  if (!args[k].is_square()) refuse(k, "a square matrix");
}
void Call::need_array(std::size_t k) const {
  if (args[k].is_scalar()) refuse(k, "a vector or a matrix");
}
void Call::need_scalar(std::size_t k) const {
  if (!args[k].is_scalar()) refuse(k, "a number");
}
void Call::need_same_shape() const {
  if (!(args[0].shape == args[1].shape))
    throw Problem(e->place, fmt::format("'{}' takes {} with {}; both must have one shape", normal_form(e),
                                        describe(args[0]), describe(args[1])));
}
void Call::need_symmetric(std::size_t k) const {
  need_square(k);
  if (!args[k].symmetric)
    throw Problem(e->place, fmt::format("'{}' needs a matrix that is symmetric by construction: one of symmetric(n) or "
                                        "psd(n), A*A', or (A + A')/2; for others say singular_values(A)",
                                        normal_form(e)));
}

namespace {

Value number(const Rational& x) { return {.number = x}; }

Rational rounded(const Rational& x, bool up) {
  Rational result;
  (up ? fmpz_cdiv_q : fmpz_fdiv_q)(fmpq_numref(result.raw()), fmpq_numref(x.raw()), fmpq_denref(x.raw()));
  return result;
}

/// Rows of the transposed matrix: reductions by columns.
Register columns_first(Call& call) { return call.b.transpose(call.reg(0)); }

Register all_of(Call& call, Code code) { return call.b.reduce(code, call.reg(0), call.args[0].shape.size()); }

std::optional<Value> exact_number(const Call& call) {
  const auto& name = call.e->name;
  if (call.args.empty() || !call.args[0].number) return std::nullopt;
  const Rational& x = *call.args[0].number;
  if (name == "abs") return number(x < Rational(0) ? -x : x);
  if (name == "floor" || name == "ceil") return number(rounded(x, name == "ceil"));
  if (name == "factorial" && x.is_whole() && x >= Rational(0) && x <= Rational(10000)) {
    Rational result;
    fmpz_fac_ui(fmpq_numref(result.raw()), static_cast<ulong>(x.to_integer()));
    return number(result);
  }
  if (call.args.size() != 2 || !call.args[1].number) return std::nullopt;
  const Rational& y = *call.args[1].number;
  if (name == "max") return number(std::max(x, y));
  if (name == "min") return number(std::min(x, y));
  if (name == "mod" && !(y == Rational(0))) return number(x - y * rounded(x / y, false));
  if (name == "binomial" && x.is_whole() && y.is_whole() && x >= Rational(0) && x <= Rational(10000)) {
    Rational result;
    if (y >= Rational(0) && y <= x)
      fmpz_bin_uiui(fmpq_numref(result.raw()), static_cast<ulong>(x.to_integer()), static_cast<ulong>(y.to_integer()));
    return number(result);
  }
  return std::nullopt;
}

Value mapped(Call& call, Register r) { return Compiler::with(call.args[0], r); }

/// Two arguments entry by entry.
Value paired(Call& call, Binary f) {
  const Value &x = call.args[0], &y = call.args[1];
  if (!x.is_scalar() && !y.is_scalar()) call.need_same_shape();
  return Compiler::with(x.is_scalar() ? y : x, call.b.binary(f, call.reg(0), call.reg(1)));
}

/// x - y floor(x/y)
Value remainder(Call& call) {
  const Value &x = call.args[0], &y = call.args[1];
  if (!x.is_scalar() && !y.is_scalar()) call.need_same_shape();
  const Register a = call.reg(0), m = call.reg(1), times = call.b.unary(Unary::floor, call.b.divide(a, m));
  return Compiler::with(x.is_scalar() ? y : x, call.b.subtract(a, call.b.multiply(m, times)));
}

Value extreme(Call& call, bool largest) {
  if (call.args.size() == 2) return paired(call, largest ? Binary::max : Binary::min);
  if (call.args.size() > 2) throw Problem(call.e->place, "max and min take one array or two numbers");
  if (call.args[0].is_scalar()) return call.args[0];
  return call.c.scalar(all_of(call, largest ? Code::largest : Code::least));
}

Value power_mean_deviation(Call& call, bool root) {
  call.need_array(0);
  const std::int64_t n = call.args[0].shape.size();
  const Register x = call.reg(0), mean = call.b.scaled(all_of(call, Code::sum), Rational(1, n));
  const Register squares = call.b.power(call.b.subtract(x, mean), Rational(2));
  const Register var = call.b.scaled(call.b.reduce(Code::sum, squares, n), Rational(1, n));
  return call.c.scalar(root ? call.b.power(var, Rational(1, 2)) : var);
}

Value oscillation(Call& call) {
  call.need_array(0);
  const Value& x = call.args[0];
  if (x.is_vector()) return call.c.scalar(call.b.subtract(all_of(call, Code::largest), all_of(call, Code::least)));
  const Register t = columns_first(call);
  const Shape each{.rank = 1, .rows = x.shape.cols};
  const Register ranges = call.b.subtract(call.b.reduce(Code::largest, t, x.shape.rows, each),
                                          call.b.reduce(Code::least, t, x.shape.rows, each));
  return call.c.scalar(call.b.reduce(Code::largest, ranges, x.shape.cols));
}

/// An array of 0 and 1: 1 where `one(i, j)`.
template <typename One>
Value pattern(Call& call, const Shape& shape, const One& one) {
  call.b.need(static_cast<double>(shape.rows) * static_cast<double>(shape.cols));
  std::vector<std::int32_t> table;
  for (std::int64_t i = 0; i < shape.rows; ++i)
    for (std::int64_t j = 0; j < shape.cols; ++j) table.push_back(one(i, j) ? 0 : -1);
  Value result{.shape = shape};
  result.rows_text = normal_form(call.e->args[0]);
  if (shape.rank == 2) result.cols_text = normal_form(call.e->args[call.e->args.size() - 1]);
  result.reg = call.b.gather(call.b.constant(Rational(1)), std::move(table), shape);
  return result;
}

Value made(Call& call) {
  const std::string& name = call.e->name;
  std::vector<std::int64_t> extents;
  for (const Expr& arg : call.e->args) extents.push_back(call.c.whole(arg, "an extent", 1));
  Shape shape{.rank = static_cast<int>(extents.size()), .rows = extents[0]};
  if (extents.size() > 1) shape.cols = extents[1];
  if (name == "zeros") return pattern(call, shape, [](auto, auto) { return false; });
  if (name == "ones") return pattern(call, shape, [](auto, auto) { return true; });
  shape = {.rank = 2, .rows = extents[0], .cols = extents[0]};
  if (name == "causal_mask") return pattern(call, shape, [](auto i, auto j) { return j <= i; });
  Value result = pattern(call, shape, [](auto i, auto j) { return i == j; });
  result.symmetric = true;
  return result;
}

Value binomial(Call& call) {
  // By the Gamma function, for numbers that are not whole or not known.
  const Register one = call.b.constant(Rational(1)), n = call.reg(0), k = call.reg(1);
  const auto factorial = [&](Register x) { return call.b.unary(Unary::gamma, call.b.add(x, one)); };
  return Compiler::with(call.args[0],
                        call.b.divide(factorial(n), call.b.multiply(factorial(k), factorial(call.b.subtract(n, k)))));
}

using Rule = Value (*)(Call&);

const std::map<std::string, Rule, std::less<>>& rules() {
  static const std::map<std::string, Rule, std::less<>> all = {
      {"max", [](Call& k) { return extreme(k, true); }},
      {"min", [](Call& k) { return extreme(k, false); }},
      {"beta", [](Call& k) { return paired(k, Binary::beta); }},
      {"binomial", binomial},
      {"mod", remainder},
      {"factorial",
       [](Call& k) { return mapped(k, k.b.unary(Unary::gamma, k.b.add(k.reg(0), k.b.constant(Rational(1))))); }},
      {"sum", [](Call& k) { return k.c.scalar(all_of(k, Code::sum)); }},
      {"prod", [](Call& k) { return k.c.scalar(all_of(k, Code::product)); }},
      {"mean",
       [](Call& k) { return k.c.scalar(k.b.scaled(all_of(k, Code::sum), Rational(1, k.args[0].shape.size()))); }},
      {"range",
       [](Call& k) {
         k.need_array(0);
         return k.c.scalar(k.b.subtract(all_of(k, Code::largest), all_of(k, Code::least)));
       }},
      {"osc", oscillation},
      {"var", [](Call& k) { return power_mean_deviation(k, false); }},
      {"std", [](Call& k) { return power_mean_deviation(k, true); }},
      {"cumsum",
       [](Call& k) {
         k.need_vector(0);
         return mapped(k, k.b.by_rows(Code::cumulated, k.reg(0), k.args[0].shape.rows));
       }},
      {"sort",
       [](Call& k) {
         k.need_vector(0);
         return mapped(k, k.b.by_rows(Code::sorted, k.reg(0), k.args[0].shape.rows));
       }},
      {"identity", made},
      {"zeros", made},
      {"ones", made},
      {"causal_mask", made},
      {"rows",
       [](Call& k) {
         k.need_array(0);
         return number(Rational(k.args[0].shape.rows));
       }},
      {"cols",
       [](Call& k) {
         k.need_matrix(0);
         return number(Rational(k.args[0].shape.cols));
       }},
      {"length",
       [](Call& k) {
         k.need_vector(0);
         return number(Rational(k.args[0].shape.rows));
       }},
  };
  return all;
}

}  // namespace

Value call_function(Compiler& compiler, const Expr& e) {
  if (e->name == "attention") return call_attention(compiler, e);
  Call call(compiler, e);
  if (const auto exact = exact_number(call)) return *exact;
  if (const auto f = unary_named(e->name)) {
    const Register x = call.reg(0);
    Value result = mapped(call, *f == Unary::log ? call.b.log(x) : call.b.unary(*f, x));
    result.symmetric = call.args[0].symmetric;
    return result;
  }
  if (const auto rule = rules().find(e->name); rule != rules().end()) return rule->second(call);
  if (auto result = call_matrix_function(call)) return *result;
  if (auto result = call_attention_function(call)) return *result;
  throw Problem(e->place, fmt::format("unknown function '{}'", e->name));
}

}  // namespace attest::language
