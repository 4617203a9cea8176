#include "theorems/language/algebra/algebraist.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "theorems/language/evaluation/reflections.hpp"
#include "theorems/language/read.hpp"

namespace attest::language {

using rigor::Rational;

namespace {

bool same_fraction(const Fraction& a, const Fraction& b) { return a.top * b.bottom == b.top * a.bottom; }

}  // namespace

const Fractions& Algebraist::entries(std::size_t reg) {
  if (const auto found = known_.find(reg); found != known_.end()) return found->second;
  // Arguments first, from the lowest register up, so that nothing recurses as deep as the program is long.
  std::vector<char> wanted(reg + 1, 0);
  wanted[reg] = 1;
  for (std::size_t at = reg + 1; at-- > 0;) {
    if (wanted[at] == 0 || known_.contains(at)) continue;
    const Instruction& i = program_.instructions[at];
    for (const std::size_t arg : i.args) wanted[arg] = 1;
  }
  for (std::size_t at = 0; at <= reg; ++at)
    if (wanted[at] != 0 && !known_.contains(at)) known_.emplace(at, compute(program_.instructions[at]));
  return known_.at(reg);
}

Fraction Algebraist::fresh(const Instruction& i, std::optional<Fraction> square) {
  if (next_ >= ring_.variables()) throw TooLarge();
  if (!square && !first_opaque_)
    first_opaque_ = i.written ? fmt::format("'{}' is not algebraic", normal_form(i.written))
                              : std::string("an element of a set is not algebraic");
  opaque_.push_back({next_, std::move(square)});
  return Fraction(Polynomial::variable(ring_, next_++));
}

Fraction Algebraist::root(const Instruction& i, const Fraction& unreduced) {
  const Fraction x = reduced(unreduced);
  if (x.top.is_constant() && x.bottom.is_constant())
    if (const auto exact = rational_root(x.top.constant() / x.bottom.constant())) return {ring_, *exact};
  // The same square has the same root; its sign is settled, since roots are not negative.
  for (const Opaque& o : opaque_)
    if (o.square && same_fraction(*o.square, x)) return Fraction(Polynomial::variable(ring_, o.variable));
  return fresh(i, x);
}

Fraction Algebraist::function(const Instruction& i, Unary f, const Fraction& unreduced) {
  const Fraction x = reduced(unreduced);
  for (const Opaque& o : opaque_)
    if (o.function && o.function->first == f && same_fraction(o.function->second, x))
      return Fraction(Polynomial::variable(ring_, o.variable));
  Fraction result = fresh(i, std::nullopt);
  opaque_.back().function = {f, x};
  return result;
}

Fraction Algebraist::exponential(const Instruction& i, const Fraction& unreduced) {
  const Fraction x = reduced(unreduced);
  constexpr std::size_t most_terms = 64;
  constexpr std::int64_t highest_power = 64;
  if (!x.bottom.is_constant() || x.top.terms() > most_terms) return function(i, Unary::exp, x);
  const Rational divisor = x.bottom.constant();
  Fraction result = number(1);
  for (std::size_t t = 0; t < x.top.terms(); ++t) {
    // exp(p/q m) = exp(m/q)^p
    auto [coefficient, monomial] = x.top.term(t);
    coefficient = coefficient / divisor;
    Rational whole, share;
    fmpz_set(fmpq_numref(whole.raw()), fmpq_numref(coefficient.raw()));
    if (whole > Rational(highest_power) || whole < Rational(-highest_power)) return function(i, Unary::exp, x);
    share = coefficient / whole;
    result = result *
             power(function(i, Unary::exp, Fraction(ring_, share) * Fraction(std::move(monomial))), whole.to_integer());
  }
  return result;
}

Fractions Algebraist::orthogonal(const Instruction& i) {
  // As in reflections.hpp: q <- H_k q from the last reflection to the first.
  const Fractions& raw = entries(i.args[0]);
  const auto n = static_cast<std::size_t>(i.shape.rows);
  Fractions q;
  for (std::size_t r = 0; r < n; ++r)
    for (std::size_t c = 0; c < n; ++c) q.push_back(number(r == c ? 1 : 0));
  q.back() = raw.back() / root(i, raw.back() * raw.back());
  for (std::size_t k = n - 1; k-- > 0;) {
    const Fraction* v = &raw[static_cast<std::size_t>(reflection_offset(i.shape.rows, static_cast<std::int64_t>(k)))];
    Fraction squares(ring_);
    for (std::size_t r = k; r < n; ++r) squares = squares + v[r - k] * v[r - k];
    for (std::size_t c = 0; c < n; ++c) {
      Fraction along(ring_);
      for (std::size_t r = k; r < n; ++r) along = along + v[r - k] * q[r * n + c];
      along = number(2) * along / squares;
      for (std::size_t r = k; r < n; ++r) q[r * n + c] = q[r * n + c] - along * v[r - k];
    }
  }
  return q;
}

Fractions Algebraist::product(const Instruction& i) {
  const Fractions &a = entries(i.args[0]), &b = entries(i.args[1]);
  const auto m = static_cast<std::size_t>(i.shape.rows), n = static_cast<std::size_t>(i.shape.cols);
  const std::size_t inner = a.size() / m;
  Fractions result;
  for (std::size_t r = 0; r < m; ++r)
    for (std::size_t c = 0; c < n; ++c) {
      Fraction total(ring_);
      for (std::size_t k = 0; k < inner; ++k) total = total + a[r * inner + k] * b[k * n + c];
      result.push_back(std::move(total));
    }
  return result;
}

Fractions Algebraist::reduced_rows(const Instruction& i) {
  const Fractions& x = entries(i.args[0]);
  const auto length = static_cast<std::size_t>(i.length);
  Fractions result;
  for (std::size_t first = 0; first < x.size(); first += length) {
    Fraction total = number(i.code == Code::product ? 1 : 0);
    for (std::size_t k = first; k < first + length; ++k) {
      if (i.code == Code::product) total = total * x[k];
      if (i.code == Code::sum) total = total + x[k];
      if (i.code == Code::norm_2) total = total + x[k] * x[k];
      if (i.code == Code::norm_1) total = total + root(i, x[k] * x[k]);
    }
    result.push_back(i.code == Code::norm_2 ? root(i, total) : total);
  }
  return result;
}

Fractions Algebraist::mapped_rows(const Instruction& i) {
  const Fractions& x = entries(i.args[0]);
  const auto length = static_cast<std::size_t>(i.length);
  Fractions result;
  for (std::size_t first = 0; first < x.size(); first += length) {
    Fractions weights;
    Fraction total(ring_);
    for (std::size_t k = first; k < first + length; ++k) {
      weights.push_back(i.code == Code::softmax ? exponential(i, x[k]) : x[k]);
      total = total + (i.code == Code::direction ? x[k] * x[k] : weights.back());
      if (i.code == Code::cumulated) result.push_back(total);
    }
    if (i.code == Code::cumulated) continue;
    if (i.code == Code::direction) total = root(i, total);
    for (const Fraction& w : weights) result.push_back(w / total);
  }
  return result;
}

Fractions Algebraist::unknown(const Instruction& i) {
  Fractions result;
  for (std::size_t k = 0; k < i.size(); ++k) result.push_back(fresh(i, std::nullopt));
  return result;
}

Fractions Algebraist::inputs(const Instruction& i) const {
  Fractions result;
  for (std::size_t k = 0; k < i.size(); ++k)
    result.emplace_back(Polynomial::variable(ring_, static_cast<std::size_t>(i.parameter) + k));
  return result;
}

Fractions Algebraist::gathered(const Instruction& i) {
  Fractions result;
  for (const std::int32_t at : *i.table)
    result.push_back(at < 0 ? number(0) : entries(i.args[0])[static_cast<std::size_t>(at)]);
  return result;
}

Fractions Algebraist::packed(const Instruction& i) {
  Fractions result;
  for (const std::uint32_t reg : i.args) {
    const Fractions& part = entries(reg);
    result.insert(result.end(), part.begin(), part.end());
  }
  return result;
}

Fraction Algebraist::of_one(const Instruction& i, const Fraction& x) {
  switch (i.unary) {
    case Unary::negate:
      return number(0) - x;
    case Unary::sqrt:
      return root(i, x);
    case Unary::abs:
      return root(i, x * x);
    case Unary::relu:
      return (x + root(i, x * x)) / number(2);
    case Unary::exp:
      return exponential(i, x);
    default:
      return function(i, i.unary, x);
  }
}

Fraction Algebraist::of_two(const Instruction& i, const Fraction& x, const Fraction& y) {
  switch (i.binary) {
    case Binary::add:
      return x + y;
    case Binary::subtract:
      return x - y;
    case Binary::multiply:
      return x * y;
    case Binary::divide:
      return x / y;
    case Binary::max:
    case Binary::min: {
      const Fraction apart = root(i, (x - y) * (x - y));
      return (x + y + (i.binary == Binary::max ? apart : number(0) - apart)) / number(2);
    }
    default:
      return fresh(i, std::nullopt);
  }
}

Fractions Algebraist::entrywise(const Instruction& i) {
  Fractions result;
  const Fractions& a = entries(i.args[0]);
  if (i.code == Code::unary) {
    for (const Fraction& x : a) result.push_back(of_one(i, x));
    return result;
  }
  const Fractions& b = entries(i.args[1]);
  for (std::size_t k = 0; k < i.size(); ++k)
    result.push_back(of_two(i, a[a.size() == 1 ? 0 : k], b[b.size() == 1 ? 0 : k]));
  return result;
}

Fractions Algebraist::powers(const Instruction& i) {
  constexpr std::int64_t highest = 1000;
  const Rational twice = i.number * Rational(2);
  if (!twice.is_whole()) return unknown(i);
  if (twice > Rational(highest) || twice < Rational(-highest)) throw TooLarge();
  Fractions result;
  for (const Fraction& x : entries(i.args[0]))
    result.push_back(i.number.is_whole() ? power(x, i.number.to_integer()) : power(root(i, x), twice.to_integer()));
  return result;
}

Fractions Algebraist::compute(const Instruction& i) {
  switch (i.code) {
    case Code::input:
      return inputs(i);
    case Code::constant:
      return {Fraction(ring_, i.number)};
    case Code::gather:
      return gathered(i);
    case Code::pack:
      return packed(i);
    case Code::unary:
    case Code::binary:
      return entrywise(i);
    case Code::power:
      return powers(i);
    case Code::matmul:
      return product(i);
    case Code::determinant:
      return {determinant(entries(i.args[0]), matrix_size(i))};
    case Code::inverse:
      return inverse(entries(i.args[0]), matrix_size(i));
    case Code::orthogonal:
      return orthogonal(i);
    case Code::sum:
    case Code::product:
    case Code::norm_1:
    case Code::norm_2:
      return reduced_rows(i);
    case Code::softmax:
    case Code::share:
    case Code::direction:
    case Code::cumulated:
      return mapped_rows(i);
    // The library's mechanism is what is judged there, so its definition does not stand for it.
    default:
      return unknown(i);
  }
}

std::size_t Algebraist::matrix_size(const Instruction& i) const {
  constexpr std::int64_t largest = 6;
  const std::int64_t n = program_.instructions[i.args[0]].shape.rows;
  if (n > largest) throw TooLarge();
  return static_cast<std::size_t>(n);
}

Fraction Algebraist::reduced(Fraction x) const {
  // The last root may hold earlier ones in its square, never the other way round.
  for (auto o = opaque_.rbegin(); o != opaque_.rend(); ++o)
    if (o->square) x = with_square(x, o->variable, *o->square);
  return x;
}

}  // namespace attest::language
