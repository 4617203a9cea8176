// Small changes of a statement, made from its tree: the near-misses by which a verdict shows what it would have caught.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "theorems/language/tree.hpp"

namespace attest::referee {

enum class Change : std::uint8_t { constant, exponent, relation, condition, set };

/// One changed statement.
struct Variation {
  Change change = Change::constant;
  std::string name;  ///< "1/2 made 1 % smaller", "without 'norm(x) <= 1'"
  double delta = 1;  ///< relative size of the change of a constant or exponent; 1 for the others
  language::Statement statement;
};

/// Each constant and exponent of the claim by 0.1 %, 1 % and 10 % both ways; where it has none, the right side of each
/// of its relations so, each relation turned, each condition dropped, each set widened (an interval to its line, a
/// simplex to weights without the sum, a ball, sphere, psd or symmetric matrices to all). Numbers in indices, ranges,
/// extents and whole exponents' places are left alone. Statements equal to the original are not among them.
std::vector<Variation> variations(const language::Statement& statement);

/// An exponent of the claim that is a number, sqrt(x) counting as x^(1/2).
struct Exponent {
  rigor::Rational value;
  std::function<language::Expr(const language::Expr&)> replaced;  ///< the claim with another exponent in its place
};

/// In the order in which they stand.
std::vector<Exponent> exponents_of(const language::Expr& claim);

/// The claim with its one constant factor of the side at issue scaled: lhs <= C rhs for a fresh variable. Used for the
/// repair of a refuted inequality; empty where the claim is not a single inequality.
language::Expr scaled_claim(const language::Expr& claim, const std::string& name);

}  // namespace attest::referee
