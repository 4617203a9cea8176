// What kind of question a statement asks, and the statement brought into the form that is searched.
#pragma once

#include <cstdint>
#include <string>

#include "theorems/language/tree.hpp"

namespace attest::referee {

enum class Question : std::uint8_t {
  universal,      ///< for all: a point may refute it
  existential,    ///< exists alone: a point may certify it
  mixed,          ///< for all ... exists ...
  best_constant,  ///< best C in ...: for all ...
  limit,          ///< limit n -> inf: ... = ...
  order           ///< f(n) = O(g(n))
};

/// "universal", ...
std::string name(Question question);

/// Errors: language::Problem where the binders stand in an order that no protocol judges.
Question question_of(const language::Statement& statement);

/// The binder of that quantifier; nullptr where there is none.
const language::Binder* binder_of(const language::Statement& statement, language::Quantifier quantifier);

/// The same statement with sides of which one is 0 balanced: a - b >= 0 becomes a >= b, so that a relative slack tells
/// near from far. Relations only, through conjunctions, disjunctions and implications. Conditions that make a set are
/// read as that set, see `with_sets_of_conditions`, and what exists in a range is written out, see `with_alternatives`.
/// All keep the raw numbers of every other variable.
language::Statement balanced(language::Statement statement);

/// `statement` with the binder `best C in S` (or `exists x in S`) read as `forall ...`.
language::Statement as_universal(language::Statement statement, language::Quantifier quantifier);

/// The same binders and definitions with another claim.
language::Statement with_claim(language::Statement statement, language::Expr claim);

/// Whether `name` stands free in the expression or in what its definitions make of it.
bool mentions(const language::Statement& statement, const language::Expr& expression, const std::string& name);

}  // namespace attest::referee
