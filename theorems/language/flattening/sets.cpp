#include "theorems/language/flattening/sets.hpp"

#include <algorithm>
#include <cmath>
#include <compare>
#include <limits>

#include <fmt/format.h>

#include "theorems/language/read.hpp"

namespace attest::language {
namespace {

using rigor::Rational;

constexpr double inf = std::numeric_limits<double>::infinity();

/// Extents as written, checked.
struct Extents {
  Shape shape;
  std::string rows_text, cols_text;
};

Extents extents_of(Compiler& compiler, const std::vector<Expr>& extents) {
  Extents result;
  result.shape.rank = static_cast<int>(extents.size());
  if (!extents.empty()) {
    result.shape.rows = compiler.whole(extents[0], "an extent", 1);
    result.rows_text = normal_form(extents[0]);
  }
  if (extents.size() > 1) {
    result.shape.cols = compiler.whole(extents[1], "an extent", 1);
    result.cols_text = normal_form(extents[1]);
  }
  return result;
}

Value element_of(const Extents& extents, Register r) {
  return {.shape = extents.shape, .rows_text = extents.rows_text, .cols_text = extents.cols_text, .reg = r};
}

void bound(RawInput& input, double lower, double upper) {
  input.lower.assign(static_cast<std::size_t>(input.raw.size()), lower);
  input.upper.assign(static_cast<std::size_t>(input.raw.size()), upper);
}

Register raw_register(Compiler& compiler, RawInput& input, const Shape& raw, double lower, double upper) {
  compiler.builder().need(static_cast<double>(raw.rows) * static_cast<double>(raw.cols));
  input.raw = raw;
  bound(input, lower, upper);
  return compiler.builder().input(input.offset, raw);
}

/// The double next to the number that is not above (below) it.
double rounded(const Rational& x, bool down) {
  const double nearest = x.to_double();
  const auto order = Rational::from_double(nearest) <=> x;
  if (down && std::is_gt(order)) return std::nextafter(nearest, -inf);
  if (!down && std::is_lt(order)) return std::nextafter(nearest, inf);
  return nearest;
}

[[noreturn]] void refuse_empty(const Set& set, const Value& lower, const Value& upper) {
  const auto end = [](const Value& v) {
    return v.infinite != 0 ? std::string(v.infinite > 0 ? "inf" : "-inf") : v.number->to_string();
  };
  throw Problem(set.place, fmt::format("the interval {}{}, {}{} is empty; its lower end must be below its upper end",
                                       set.lower_open ? "(" : "[", end(lower), end(upper), set.upper_open ? ")" : "]"));
}

Value interval_element(Compiler& compiler, RawInput& input, const Extents& extents) {
  const Set& set = input.set;
  Builder& b = compiler.builder();
  const Value lower = compiler.expression(set.args[0]), upper = compiler.expression(set.args[1]);
  if (!lower.is_scalar() || !upper.is_scalar()) throw Problem(set.place, "the ends of an interval must be numbers");
  input.lower_open = set.lower_open;
  input.upper_open = set.upper_open;
  const bool lower_known = lower.number || lower.infinite != 0, upper_known = upper.number || upper.infinite != 0;
  if (lower.infinite > 0 || upper.infinite < 0) {
    if (lower_known && upper_known) refuse_empty(set, lower, upper);
    throw Problem(set.place, "an interval begins at inf or ends at -inf, so it is empty; turn its ends around");
  }
  if (lower.number && upper.number &&
      (*lower.number > *upper.number || (*lower.number == *upper.number && (set.lower_open || set.upper_open))))
    refuse_empty(set, lower, upper);
  if (lower_known && upper_known) {
    const double from = lower.number ? rounded(*lower.number, false) : -inf;
    const double to = upper.number ? rounded(*upper.number, true) : inf;
    // An end that is not a double is never reached, so it need not be excluded.
    if (lower.number && Rational::from_double(from) != *lower.number) input.lower_end = *lower.number;
    if (upper.number && Rational::from_double(to) != *upper.number) input.upper_end = *upper.number;
    input.lower_open &= lower.number && !input.lower_end;
    input.upper_open &= upper.number && !input.upper_end;
    return element_of(extents, raw_register(compiler, input, extents.shape, from, to));
  }
  if (upper.infinite > 0) {
    const Register u = raw_register(compiler, input, extents.shape, 0, inf);
    return element_of(extents, b.add(compiler.reg(lower, set.args[0]), u));
  }
  if (lower.infinite < 0) {
    const Register u = raw_register(compiler, input, extents.shape, 0, inf);
    input.lower_open = set.upper_open;
    input.upper_open = false;
    return element_of(extents, b.subtract(compiler.reg(upper, set.args[1]), u));
  }
  const Register u = raw_register(compiler, input, extents.shape, 0, 1);
  const Register low = compiler.reg(lower, set.args[0]), high = compiler.reg(upper, set.args[1]);
  return element_of(extents, b.add(low, b.multiply(b.subtract(high, low), u)));
}

Value finite_element(Compiler& compiler, RawInput& input, const Extents& extents) {
  Instruction pick{.code = Code::choose, .shape = extents.shape};
  pick.args.push_back(raw_register(compiler, input, extents.shape, 0, static_cast<double>(input.set.args.size()) - 1));
  for (const Expr& arg : input.set.args) {
    const Value choice = compiler.expression(arg);
    if (!choice.is_scalar()) throw Problem(arg->place, "a finite set holds numbers only");
    pick.args.push_back(compiler.reg(choice, arg));
  }
  input.whole = true;
  return element_of(extents, compiler.builder().emit(std::move(pick)));
}

Value symmetric_element(Compiler& compiler, RawInput& input, std::int64_t n, const std::string& text) {
  compiler.builder().need(static_cast<double>(n) * static_cast<double>(n));
  const Register u = raw_register(compiler, input, {.rank = 1, .rows = n * (n + 1) / 2}, -inf, inf);
  std::vector<std::int32_t> table(static_cast<std::size_t>(n * n));
  std::int32_t next = 0;
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = i; j < n; ++j)
      table[static_cast<std::size_t>(i * n + j)] = table[static_cast<std::size_t>(j * n + i)] = next++;
  const Register m = compiler.builder().gather(u, std::move(table), {.rank = 2, .rows = n, .cols = n});
  Value result = Compiler::matrix(m, n, n, text, text);
  result.symmetric = true;
  return result;
}

Value attention_element(Compiler& compiler, RawInput& input, std::int64_t n, std::int64_t d, const std::string& text) {
  Builder& b = compiler.builder();
  const Register u = raw_register(compiler, input, {.rank = 2, .rows = 2 * n, .cols = d}, -inf, inf);
  std::vector<std::int32_t> first(static_cast<std::size_t>(n * d)), second(first.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    first[i] = static_cast<std::int32_t>(i);
    second[i] = static_cast<std::int32_t>(first.size() + i);
  }
  const Register q = b.gather(u, first, {.rank = 2, .rows = n, .cols = d});
  const Register k = b.gather(u, second, {.rank = 2, .rows = n, .cols = d});
  const Register scores = b.matmul(q, b.transpose(k), {.rank = 2, .rows = n, .cols = n});
  const Register scale = b.power(b.constant(Rational(d)), Rational(1, 2));
  return Compiler::matrix(b.by_rows(Code::softmax, b.divide(scores, scale), n), n, n, text, text);
}

Value random_element(Compiler& compiler, const Binder& binder, RawInput& input) {
  const Extents extents = extents_of(compiler, binder.law.extents);
  for (const Expr& arg : binder.law.args) {
    const Value parameter = compiler.expression(arg);
    if (!parameter.is_scalar()) throw Problem(arg->place, "the parameters of a law must be numbers");
    input.law_arguments.push_back(compiler.reg(parameter, arg));
  }
  input.random = true;
  const Register u = raw_register(compiler, input, extents.shape, -inf, inf);
  compiler.builder().mark_random(u);
  return element_of(extents, u);
}

}  // namespace

Value make_element(Compiler& compiler, const Binder& binder, RawInput& input) {
  if (binder.quantifier == Quantifier::random) return random_element(compiler, binder, input);
  const Set& set = binder.set;
  Builder& b = compiler.builder();
  const auto size = [&](std::size_t k) { return compiler.whole(set.args[k], "an extent", 1); };
  const auto text = [&](std::size_t k) { return normal_form(set.args[k]); };
  switch (set.kind) {
    case SetKind::reals: {
      const Extents extents = extents_of(compiler, set.extents);
      return element_of(extents, raw_register(compiler, input, extents.shape, -inf, inf));
    }
    case SetKind::interval:
      return interval_element(compiler, input, extents_of(compiler, set.extents));
    case SetKind::range:
    case SetKind::finite:
      return finite_element(compiler, input, extents_of(compiler, set.extents));
    case SetKind::simplex: {
      const std::int64_t n = size(0);
      const Register w = raw_register(compiler, input, {.rank = 1, .rows = n}, 0, 1);
      return Compiler::vector(b.by_rows(Code::share, w, n), n, text(0));
    }
    case SetKind::sphere: {
      const std::int64_t n = size(0);
      const Register u = raw_register(compiler, input, {.rank = 1, .rows = n}, -1, 1);
      return Compiler::vector(b.by_rows(Code::direction, u, n), n, text(0));
    }
    case SetKind::ball: {
      const std::int64_t n = size(0);
      const Register u = raw_register(compiler, input, {.rank = 1, .rows = n}, -1, 1);
      const Register radius = compiler.reg(set.args[1]);
      const Register outside = b.binary(Binary::max, b.reduce(Code::norm_2, u, n), b.constant(Rational(1)));
      return Compiler::vector(b.multiply(radius, b.divide(u, outside)), n, text(0));
    }
    case SetKind::stochastic: {
      const std::int64_t m = size(0), n = size(1);
      const Register w = raw_register(compiler, input, {.rank = 2, .rows = m, .cols = n}, 0, 1);
      return Compiler::matrix(b.by_rows(Code::share, w, n), m, n, text(0), text(1));
    }
    case SetKind::orthogonal: {
      const std::int64_t n = size(0);
      const Register v = raw_register(compiler, input, {.rank = 1, .rows = n * (n + 1) / 2}, -1, 1);
      const Register q = b.of_matrix(Code::orthogonal, v, {.rank = 2, .rows = n, .cols = n});
      return Compiler::matrix(q, n, n, text(0), text(0));
    }
    case SetKind::symmetric:
      return symmetric_element(compiler, input, size(0), text(0));
    case SetKind::psd: {
      const std::int64_t n = size(0);
      const Shape square{.rank = 2, .rows = n, .cols = n};
      const Register root = raw_register(compiler, input, square, -inf, inf);
      Value result = Compiler::matrix(b.matmul(root, b.transpose(root), square), n, n, text(0), text(0));
      result.symmetric = true;
      return result;
    }
    case SetKind::attention:
      return attention_element(compiler, input, size(0), size(1), text(0));
  }
  throw Problem(set.place, "this set is not known");
}

void project(const Program& program, std::span<double> raw) {
  for (const RawInput& input : program.inputs()) {
    for (std::size_t k = 0; k < input.lower.size(); ++k) {
      double& x = raw[input.offset + k];
      const double least = input.lower_open ? std::nextafter(input.lower[k], inf) : input.lower[k];
      const double most = input.upper_open ? std::nextafter(input.upper[k], -inf) : input.upper[k];
      if (std::isnan(x)) x = 0;
      x = std::clamp(x, std::max(least, -std::numeric_limits<double>::max()),
                     std::min(most, std::numeric_limits<double>::max()));
      if (input.whole) x = std::round(x);
    }
  }
}

void draw(const Program& program, random::Stream& stream, std::span<double> raw) {
  for (const RawInput& input : program.inputs()) {
    if (input.random) continue;
    const double scale = std::pow(10, stream.uniform(-3, 3));
    const bool spread = stream.uniform() < 0.5;
    for (std::size_t k = 0; k < input.lower.size(); ++k) {
      const double low = input.lower[k], high = input.upper[k];
      const double u = stream.uniform();
      double x = 0;
      if (input.whole) {
        x = std::floor(u * (high + 1));
      } else if (std::isinf(low) && std::isinf(high)) {
        x = scale * random::normal_quantile(u);
      } else if (std::isinf(high)) {
        x = low - scale * std::log(u);
      } else if (std::isinf(low)) {
        x = high + scale * std::log(u);
      } else if (spread && low >= 0) {
        // Many scales above the lower end: 12 powers of ten of the length.
        x = low + (high - low) * std::pow(10, -12 * u);
      } else {
        x = low + (high - low) * u;
      }
      raw[input.offset + k] = x;
    }
  }
  project(program, raw);
}

}  // namespace attest::language
