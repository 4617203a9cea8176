#include "theorems/language/algebra/exact.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "theorems/language/algebra/algebraist.hpp"

namespace attest::language {
namespace {

using rigor::Rational;

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
  const std::size_t variables = algebra_variables(program);
  if (variables > limits.variables)
    return {Algebra::open, fmt::format("{} numbers are too many for polynomials", variables)};
  try {
    Algebraist algebra(program, limits, variables);
    const Fractions lhs = algebra.entries(f.lhs), rhs = algebra.entries(f.rhs);
    // Why a relation that is not an identity is not said to fail.
    std::string doubt;
    if (algebra.first_opaque()) {
      doubt = *algebra.first_opaque();
    } else if (!algebra.all_free()) {
      doubt = "the sides hold roots, whose signs polynomials do not know";
    } else if (!free_numbers) {
      doubt = "the numbers are not free";
    }
    AlgebraAnswer no{doubt.empty() ? Algebra::fails : Algebra::open, doubt};
    for (std::size_t k = 0; k < std::max(lhs.size(), rhs.size()); ++k) {
      const Fraction difference = algebra.reduced(lhs[lhs.size() == 1 ? 0 : k] - rhs[rhs.size() == 1 ? 0 : k]);
      Rational gap;  // of the two sides, where it is a constant
      if (!difference.top.is_zero()) {
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

// One variable for every entry that a function may give; those that are not needed cost little.
std::size_t algebra_variables(const Program& program) {
  std::size_t count = program.dimension(), exponentials = 0;
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
    // An exponential of a sum is a product of one number for each of its terms.
    if (i.code == Code::softmax || (i.code == Code::unary && i.unary == Unary::exp)) exponentials += i.size();
  }
  return count + std::min<std::size_t>(exponentials, 64) * 2;
}

AlgebraAnswer decide_by_algebra(const Program& program, const Formula& f, const AlgebraLimits& limits) {
  switch (f.kind) {
    case Formula::Kind::relation:
      return of_relation(program, f, limits);
    case Formula::Kind::order:
      return {Algebra::open, "an order of growth is not an identity"};
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
        auto one = decide_by_algebra(program, part, limits);
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
