#include "theorems/language/exact.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "theorems/language/fraction.hpp"
#include "theorems/language/instruction.hpp"
#include "theorems/language/read.hpp"

namespace attest::language {
namespace {

using rigor::Rational;
using Entries = std::vector<Fraction>;

/// Unknown numbers: a root of something known, or nothing known.
struct Opaque {
  std::size_t variable = 0;
  std::optional<Fraction> square = {};
};

/// A program's registers as rational functions, computed as they are asked for.
class Algebraist {
 public:
  Algebraist(const Program& program, const AlgebraLimits& limits, std::size_t variables)
      : program_(program), ring_(variables, limits.terms, limits.term_products), next_(program.dimension()) {}

  const Entries& entries(std::size_t reg);
  /// The difference's numerator with every known square put in; its denominator's zeros are where a side is undefined.
  Polynomial reduced(Fraction difference) const;
  const std::optional<std::string>& first_opaque() const { return first_opaque_; }
  /// No unknown numbers, nor roots, among what was computed: different fractions are different functions.
  bool all_free() const { return opaque_.empty(); }

 private:
  Entries compute(const Instruction& i);
  Fraction fresh(const Instruction& i, std::optional<Fraction> square);
  Fraction root(const Instruction& i, const Fraction& x);
  Entries product(const Instruction& i);
  Entries reduced_rows(const Instruction& i);
  Entries mapped_rows(const Instruction& i);
  Fraction number(std::int64_t n) const { return {ring_, Rational(n)}; }

  const Program& program_;
  Ring ring_;
  std::size_t next_;
  std::map<std::size_t, Entries> known_ = {};
  std::vector<Opaque> opaque_ = {};
  std::optional<std::string> first_opaque_ = {};
};

const Entries& Algebraist::entries(std::size_t reg) {
  if (const auto found = known_.find(reg); found != known_.end()) return found->second;
  // Arguments first, from the lowest register up, so that nothing recurses as deep as the program is long.
  std::vector<char> wanted(reg + 1, 0);
  wanted[reg] = 1;
  for (std::size_t at = reg + 1; at-- > 0;) {
    if (wanted[at] == 0 || known_.contains(at)) continue;
    const Instruction& i = program_.instructions[at];
    for (std::size_t k = 0; k < i.args.size(); ++k) wanted[i.args[k]] = 1;
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

Fraction Algebraist::root(const Instruction& i, const Fraction& x) {
  // The same square has the same root; its sign is settled, since roots are not negative.
  for (const Opaque& o : opaque_)
    if (o.square && o.square->top == x.top && o.square->bottom == x.bottom)
      return Fraction(Polynomial::variable(ring_, o.variable));
  return fresh(i, x);
}

Entries Algebraist::product(const Instruction& i) {
  const Entries &a = entries(i.args[0]), &b = entries(i.args[1]);
  const auto m = static_cast<std::size_t>(i.shape.rows), n = static_cast<std::size_t>(i.shape.cols);
  const std::size_t inner = a.size() / m;
  Entries result;
  for (std::size_t r = 0; r < m; ++r)
    for (std::size_t c = 0; c < n; ++c) {
      Fraction total(ring_);
      for (std::size_t k = 0; k < inner; ++k) total = total + a[r * inner + k] * b[k * n + c];
      result.push_back(std::move(total));
    }
  return result;
}

Entries Algebraist::reduced_rows(const Instruction& i) {
  const Entries& x = entries(i.args[0]);
  const auto length = static_cast<std::size_t>(i.length);
  Entries result;
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

Entries Algebraist::mapped_rows(const Instruction& i) {
  const Entries& x = entries(i.args[0]);
  const auto length = static_cast<std::size_t>(i.length);
  Entries result;
  for (std::size_t first = 0; first < x.size(); first += length) {
    Entries weights;
    Fraction total(ring_);
    for (std::size_t k = first; k < first + length; ++k) {
      weights.push_back(i.code == Code::softmax ? fresh(i, std::nullopt) : x[k]);
      total = total + (i.code == Code::direction ? x[k] * x[k] : weights.back());
      if (i.code == Code::cumulated) result.push_back(total);
    }
    if (i.code == Code::cumulated) continue;
    if (i.code == Code::direction) total = root(i, total);
    for (const Fraction& w : weights) result.push_back(w / total);
  }
  return result;
}

Entries Algebraist::compute(const Instruction& i) {
  const auto arg = [&](std::size_t k) -> const Entries& { return entries(i.args[k]); };
  const auto unknown = [&] {
    Entries result;
    for (std::size_t k = 0; k < i.size(); ++k) result.push_back(fresh(i, std::nullopt));
    return result;
  };
  Entries result;
  switch (i.code) {
    case Code::input:
      for (std::size_t k = 0; k < i.size(); ++k)
        result.emplace_back(Polynomial::variable(ring_, static_cast<std::size_t>(i.parameter) + k));
      return result;
    case Code::constant:
      result.emplace_back(ring_, i.number);
      return result;
    case Code::gather:
      for (const std::int32_t at : *i.table)
        result.push_back(at < 0 ? number(0) : arg(0)[static_cast<std::size_t>(at)]);
      return result;
    case Code::pack:
      for (std::size_t k = 0; k < i.args.size(); ++k) result.insert(result.end(), arg(k).begin(), arg(k).end());
      return result;
    case Code::unary:
      if (i.unary != Unary::negate && i.unary != Unary::sqrt && i.unary != Unary::abs) return unknown();
      for (const Fraction& x : arg(0)) {
        if (i.unary == Unary::negate) result.push_back(number(0) - x);
        if (i.unary == Unary::sqrt) result.push_back(root(i, x));
        if (i.unary == Unary::abs) result.push_back(root(i, x * x));
      }
      return result;
    case Code::binary: {
      const Entries &a = arg(0), &b = arg(1);
      for (std::size_t k = 0; k < i.size(); ++k) {
        const Fraction &x = a[a.size() == 1 ? 0 : k], &y = b[b.size() == 1 ? 0 : k];
        switch (i.binary) {
          case Binary::add:
            result.push_back(x + y);
            break;
          case Binary::subtract:
            result.push_back(x - y);
            break;
          case Binary::multiply:
            result.push_back(x * y);
            break;
          case Binary::divide:
            result.push_back(x / y);
            break;
          default:
            result.push_back(fresh(i, std::nullopt));
        }
      }
      return result;
    }
    case Code::power: {
      const Rational twice = i.number * Rational(2);
      if (!twice.is_whole()) return unknown();
      constexpr std::int64_t highest = 1000;
      if (twice > Rational(highest) || twice < Rational(-highest)) throw TooLarge();
      for (const Fraction& x : arg(0))
        result.push_back(i.number.is_whole() ? power(x, i.number.to_integer()) : power(root(i, x), twice.to_integer()));
      return result;
    }
    case Code::matmul:
      return product(i);
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
      return unknown();
  }
}

Polynomial Algebraist::reduced(Fraction difference) const {
  Polynomial result = std::move(difference.top);
  // The last root may hold earlier ones in its square, never the other way round.
  for (auto o = opaque_.rbegin(); o != opaque_.rend(); ++o)
    if (o->square) result = result.with_square(o->variable, o->square->top, o->square->bottom);
  return result;
}

/// Raw numbers, and one variable for every entry that a function may give; those that are not needed cost little.
std::size_t variables_needed(const Program& program) {
  std::size_t count = program.dimension();
  for (const Instruction& i : program.instructions) {
    switch (i.code) {
      case Code::input:
      case Code::constant:
      case Code::gather:
      case Code::pack:
      case Code::matmul:
      case Code::sum:
      case Code::product:
      case Code::share:
      case Code::cumulated:
        continue;
      case Code::norm_1:
        count += static_cast<std::size_t>(program.instructions[i.args[0]].shape.size());
        continue;
      default:
        break;
    }
    if (i.code == Code::unary && i.unary == Unary::negate) continue;
    if (i.code == Code::power && i.number.is_whole()) continue;
    const bool arithmetic = i.code == Code::binary && (i.binary == Binary::add || i.binary == Binary::subtract ||
                                                       i.binary == Binary::multiply || i.binary == Binary::divide);
    if (!arithmetic && i.in_balls) count += i.size();
  }
  return count;
}

/// Every raw number may be chosen freely within an interval that is more than a point.
bool on_free_numbers(const Program& program) {
  if (!program.conditions().empty()) return false;
  for (const RawInput& input : program.inputs())
    for (std::size_t k = 0; k < input.lower.size(); ++k)
      if (!(input.lower[k] < input.upper[k])) return false;
  return true;
}

AlgebraAnswer of_relation(const Program& program, const Formula& f, const AlgebraLimits& limits) {
  const bool free_numbers = on_free_numbers(program);
  const std::size_t variables = variables_needed(program);
  if (variables > limits.variables)
    return {Algebra::open, fmt::format("{} numbers are too many for polynomials", variables)};
  try {
    Algebraist algebra(program, limits, variables);
    const Entries lhs = algebra.entries(f.lhs), rhs = algebra.entries(f.rhs);
    // Why a relation that is no identity is not said to fail.
    std::string doubt;
    if (algebra.first_opaque()) {
      doubt = *algebra.first_opaque();
    } else if (!algebra.all_free()) {
      doubt = "the sides hold roots, whose signs polynomials do not know";
    } else if (!free_numbers) {
      doubt = "the numbers are not free";
    }
    const AlgebraAnswer no{doubt.empty() ? Algebra::fails : Algebra::open, doubt};
    for (std::size_t k = 0; k < std::max(lhs.size(), rhs.size()); ++k) {
      const Fraction difference = lhs[lhs.size() == 1 ? 0 : k] - rhs[rhs.size() == 1 ? 0 : k];
      Rational gap;  // of the two sides, where it is a constant
      if (!algebra.reduced(difference).is_zero()) {
        if (f.relation == Relation::equal) return no;
        if (!difference.top.is_constant() || !difference.bottom.is_constant())
          return {Algebra::open, "the sides differ by more than a constant"};
        gap = difference.top.constant() / difference.bottom.constant();
      }
      const Rational zero;
      const bool holds = f.relation == Relation::less            ? gap < zero
                         : f.relation == Relation::less_equal    ? gap <= zero
                         : f.relation == Relation::greater       ? gap > zero
                         : f.relation == Relation::greater_equal ? gap >= zero
                                                                 : true;
      if (!holds) return no;
    }
    return {Algebra::holds, {}};
  } catch (const TooLarge& refusal) {
    return {Algebra::open, refusal.what()};
  } catch (const std::domain_error& refusal) {
    return {Algebra::open, refusal.what()};
  }
}

}  // namespace

AlgebraAnswer decide_by_algebra(const Program& program, const Formula& f, const AlgebraLimits& limits) {
  switch (f.kind) {
    case Formula::Kind::relation:
      return of_relation(program, f, limits);
    case Formula::Kind::order:
      return {Algebra::open, "an order of growth is no identity"};
    case Formula::Kind::negation: {
      // "Not everywhere" turned is not "nowhere".
      return {Algebra::open, "a negation is not decided by algebra"};
    }
    case Formula::Kind::implication: {
      const auto concluded = decide_by_algebra(program, f.parts[1], limits);
      return concluded.answer == Algebra::holds ? concluded
                                                : AlgebraAnswer{Algebra::open, "the assumption is not used by algebra"};
    }
    case Formula::Kind::conjunction: {
      AlgebraAnswer result{Algebra::holds, {}};
      for (const Formula& part : f.parts) {
        const auto one = decide_by_algebra(program, part, limits);
        if (one.answer == Algebra::fails) return one;
        if (one.answer == Algebra::open) result = one;
      }
      return result;
    }
    case Formula::Kind::disjunction: {
      for (const Formula& part : f.parts) {
        auto one = decide_by_algebra(program, part, limits);
        if (one.answer == Algebra::holds) return one;
      }
      return {Algebra::open, "no alternative is an identity"};
    }
  }
  return {};
}

}  // namespace attest::language
