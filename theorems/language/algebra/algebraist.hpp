// The registers of a program as rational functions of its raw numbers.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "theorems/language/algebra/exact.hpp"
#include "theorems/language/algebra/fraction.hpp"
#include "theorems/language/program/instruction.hpp"

namespace attest::language {

using Fractions = std::vector<Fraction>;

/// Unknown numbers: the root of something, a function of something, or nothing known.
struct Opaque {
  std::size_t variable = 0;
  std::optional<Fraction> square = {};
  std::optional<std::pair<Unary, Fraction>> function = {};
};

/// A program's registers as rational functions, computed as they are asked for.
class Algebraist {
 public:
  /// `variables`: the raw numbers and as many more as functions give unknown numbers at most.
  Algebraist(const Program& program, const AlgebraLimits& limits, std::size_t variables)
      : program_(program), ring_(variables, limits.terms, limits.term_products), next_(program.dimension()) {}

  /// Errors: `TooLarge`; std::domain_error where something is divided by what is zero everywhere.
  const Fractions& entries(std::size_t reg);
  /// The same number with every known square put in.
  Fraction reduced(Fraction x) const;
  /// What the first number is, if any, of which nothing is known: "'exp(x)' is not algebraic".
  const std::optional<std::string>& first_opaque() const { return first_opaque_; }
  /// What stands for roots and functions among what was computed.
  const std::vector<Opaque>& opaque() const { return opaque_; }
  const Ring& ring() const { return ring_; }
  /// No unknown numbers, nor roots, among what was computed: different fractions are different functions.
  bool all_free() const { return opaque_.empty(); }

 private:
  Fractions compute(const Instruction& i);
  /// Numbers of which nothing is known.
  Fractions unknown(const Instruction& i);
  Fractions inputs(const Instruction& i) const;
  Fractions gathered(const Instruction& i);
  Fractions packed(const Instruction& i);
  /// Functions of one and two numbers, entry by entry.
  Fractions entrywise(const Instruction& i);
  Fraction of_one(const Instruction& i, const Fraction& x);
  Fraction of_two(const Instruction& i, const Fraction& x, const Fraction& y);
  Fractions powers(const Instruction& i);
  Fraction fresh(const Instruction& i, std::optional<Fraction> square);
  Fraction root(const Instruction& i, const Fraction& x);
  Fraction function(const Instruction& i, Unary f, const Fraction& x);
  /// exp of a sum as a product of exps of its terms.
  Fraction exponential(const Instruction& i, const Fraction& x);
  Fractions orthogonal(const Instruction& i);
  Fractions product(const Instruction& i);
  Fractions reduced_rows(const Instruction& i);
  Fractions mapped_rows(const Instruction& i);
  /// Errors: `TooLarge` for a matrix whose determinant has too many terms.
  std::size_t matrix_size(const Instruction& i) const;
  Fraction number(std::int64_t n) const { return {ring_, rigor::Rational(n)}; }

  const Program& program_;
  Ring ring_;
  std::size_t next_;
  std::map<std::size_t, Fractions> known_ = {};
  std::vector<Opaque> opaque_ = {};
  std::optional<std::string> first_opaque_ = {};
};

}  // namespace attest::language
