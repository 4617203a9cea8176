// The C++ vocabulary: the same trees as the text of the language gives, for statements that a program builds.
//
//   const Variable n = count("n", 2, 64), x = vector("x", n), y = vector("y", n);
//   const Statement lipschitz = forall({n, x, y}).says(
//       leq(call("norm", {call("softmax", {x}) - call("softmax", {y})}), ratio(1, 2) * call("norm", {x - y})));
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "theorems/language/tree.hpp"

namespace attest::language {

/// A name together with the set that it will be bound in.
struct Variable {
  std::string name;
  Set set = {};
};

/// What arithmetic and calls take: expressions, variables, whole numbers.
class Term {
 public:
  Term(Expr expr) : expr_(std::move(expr)) {}  // NOLINT(google-explicit-constructor)
  Term(const Variable& variable);              // NOLINT(google-explicit-constructor)
  Term(std::int64_t value);                    // NOLINT(google-explicit-constructor)
  Term(int value);                             // NOLINT(google-explicit-constructor)
  const Expr& expr() const { return expr_; }

 private:
  Expr expr_;
};

// ---- numbers and operations
// -------------------------------------------------------------------------------------------
/// "0.71", "1e-3", "22/7", exactly. Errors: std::invalid_argument for what is not a number.
Expr number(std::string_view text);
/// Errors: std::invalid_argument for a denominator of 0.
Expr ratio(std::int64_t numerator, std::int64_t denominator);
Expr infinity();
Expr pi();
Expr operator+(const Term& a, const Term& b);
Expr operator-(const Term& a, const Term& b);
Expr operator*(const Term& a, const Term& b);
Expr operator/(const Term& a, const Term& b);
Expr operator-(const Term& a);
Expr power(const Term& base, const Term& exponent);
/// x[i], X[i], X[i, j], counted from 1.
Expr at(const Term& array, const std::vector<Term>& indices);
/// A function of the language by its name or alias, or one that the statement defines. Errors: `Problem`, as in
/// reading.
Expr call(std::string_view name, const std::vector<Term>& args, std::vector<Option> options = {});
/// name(index in from..to: body) for sum, prod, max, min, mean and all.
Expr over(std::string_view name, std::string_view index, const Term& from, const Term& to, const Term& body);
/// E[a] and P[relation].
Expr mean_of(const Term& a);
Expr probability_of(const Expr& relation);

// ---- relations and logic
// ----------------------------------------------------------------------------------------------
Expr less(const Term& a, const Term& b);
Expr leq(const Term& a, const Term& b);
Expr greater(const Term& a, const Term& b);
Expr geq(const Term& a, const Term& b);
Expr equal(const Term& a, const Term& b);
Expr both(const Expr& a, const Expr& b);
Expr either(const Expr& a, const Expr& b);
Expr implies(const Expr& a, const Expr& b);
Expr negation(const Expr& a);

// ---- named domains
// ----------------------------------------------------------------------------------------------------
Variable scalar(std::string_view name);
/// In [lower, upper]; `ends` names the brackets: "[]", "(]", "[)" or "()".
Variable scalar(std::string_view name, const Term& lower, const Term& upper, std::string_view ends = "[]");
/// A whole number from .. to.
Variable count(std::string_view name, const Term& from, const Term& to);
Variable one_of(std::string_view name, const std::vector<Term>& values);
Variable vector(std::string_view name, const Term& n);
Variable matrix(std::string_view name, const Term& m, const Term& n);
/// In simplex(n), ball(n, R), stochastic(m, n), ... Errors: `Problem` for an unknown set or a wrong number of
/// arguments.
Variable member(std::string_view name, std::string_view set, const std::vector<Term>& args);

// ---- statements
// -------------------------------------------------------------------------------------------------------
/// What stands before a claim, in order.
class Prefix {
 public:
  Prefix& forall(const std::vector<Variable>& variables) { return bind(Quantifier::forall, variables); }
  Prefix& exists(const std::vector<Variable>& variables) { return bind(Quantifier::exists, variables); }
  Prefix& best(const Variable& variable) { return bind(Quantifier::best, {variable}); }
  /// name ~ law(args...)^extents
  Prefix& random(std::string_view name, std::string_view law, const std::vector<Term>& args,
                 const std::vector<Term>& extents = {});
  Prefix& limit(std::string_view name, const Term& to);
  /// name(parameters...) = body
  Prefix& let(std::string_view name, const std::vector<std::string>& parameters, const Term& body);
  /// A condition on the names bound last. Precondition: some are.
  Prefix& given(const Expr& condition);
  /// A condition on the whole, or a part of a recursion: equal(call("K", {0}), 1).
  Prefix& where(const Expr& condition);

  /// The statement, with its names resolved as in reading. Errors: `Problem`.
  Statement says(const Expr& claim) const;

 private:
  Prefix& bind(Quantifier quantifier, const std::vector<Variable>& variables);
  Statement statement_;  ///< without its claim
};

/// Prefix().forall(variables)
Prefix forall(const std::vector<Variable>& variables);
/// Prefix().exists(variables)
Prefix exists(const std::vector<Variable>& variables);

}  // namespace attest::language
