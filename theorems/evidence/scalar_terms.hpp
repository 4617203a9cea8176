// A statement at fixed sizes written out in real scalars, for provers that know no arrays.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/rigor/rational.hpp"
#include "theorems/language/program.hpp"
#include "theorems/language/tree.hpp"

namespace attest::evidence {

/// What cannot be written out, in one sentence.
class NotWritten : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class TermKind : std::uint8_t {
  number,
  infinity,
  variable,
  pi,
  add,
  subtract,
  multiply,
  divide,
  negate,
  power,
  call
};

struct Term;
using TermPointer = std::shared_ptr<const Term>;

/// A real scalar. Operations of numbers are carried out, so that whole numbers stay known.
struct Term {
  TermKind kind = TermKind::number;
  rigor::Rational value = {};  ///< of a number
  std::string name = {};       ///< of a variable, and of a call: exp, log, sqrt, sin, cos, tan, atan, abs, max, min
  std::vector<TermPointer> args = {};
  unsigned exponent = 0;  ///< of a power
};

/// A scalar (no extents), a vector or a matrix row by row.
struct TermArray {
  std::vector<std::int64_t> shape = {};
  std::vector<TermPointer> entries = {};
};

enum class ClaimKind : std::uint8_t { relation, conjunction, disjunction, negation, implication };

/// A formula about scalars.
struct TermClaim {
  ClaimKind kind = ClaimKind::relation;
  std::string relation = {};  ///< "<", "<=", ">", ">=" or "="
  TermPointer lhs = {}, rhs = {};
  std::vector<TermClaim> parts = {};
};

/// Of one statement at one choice of its sizes.
struct WrittenOut {
  std::vector<std::string> variables =
      {};                              ///< x, or x_1, ..., x_n, or A_1_1, ...: what `forall` or `exists` ranges over
  std::vector<TermClaim> domain = {};  ///< that they lie in their sets, and the conditions
  TermClaim claim = {};
  std::size_t size = 0;  ///< terms made
};

/// At most this many terms are made for one choice.
inline constexpr std::size_t most_terms = 6000;

/// Errors: NotWritten for a set or function without a counterpart, or a statement that grows too long.
WrittenOut written_out(const language::Statement& statement, const language::Choices& choices);

/// The number of that value.
TermPointer number_term(const rigor::Rational& value);

}  // namespace attest::evidence
