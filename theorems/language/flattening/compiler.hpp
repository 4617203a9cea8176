// The flattening of a statement, expression by expression; `compile` is made of it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "theorems/language/program/builder.hpp"

namespace attest::language {

/// What an expression is while it is flattened: an array in a register, or a number known exactly.
struct Value {
  Shape shape = {};
  std::string rows_text = {}, cols_text = {};  ///< extents as the statement writes them: "n"
  bool symmetric = false;                      ///< by construction
  bool row = false;                            ///< x' of a vector x: x'*y is a number, x*y' a matrix
  std::optional<rigor::Rational> number = {};  ///< of a scalar that the choices fix
  int infinite = 0;                            ///< 1 or -1 for inf and -inf: neither number nor register
  std::optional<Register> reg = {};

  bool is_scalar() const { return shape.rank == 0; }
  bool is_vector() const { return shape.rank == 1; }
  bool is_matrix() const { return shape.rank == 2; }
  bool is_square() const { return is_matrix() && shape.rows == shape.cols; }
};

/// "a (n, d) = 5 x 7 matrix", "a vector of n = 5 entries", "a number".
std::string describe(const Value& value);

class Compiler {
 public:
  Compiler(const Statement& statement, const Choices& choices, std::size_t memory_limit);

  /// Inputs of all binders, in order, with their conditions.
  void bind_inputs();
  Program statement();
  ExpressionProgram expression_program(const Expr& expression);

  Value expression(const Expr& e);
  /// The register of an expression; a number gets one. Errors: `Problem` for inf, which is not a number.
  Register reg(const Expr& e) { return reg(expression(e), e); }
  Register reg(const Value& value, const Expr& e);
  Formula formula(const Expr& e);

  /// A whole number known at these choices. `what` opens the sentence: "an extent". Errors: `Problem`.
  std::int64_t whole(const Expr& e, const std::string& what, std::int64_t least);
  /// First and last index of a comprehension. Errors: `Problem` for more than a million of them.
  std::pair<std::int64_t, std::int64_t> indices(const Expr& comprehension);
  /// The value of an expression in which these names alone are known.
  Value expression_over(const std::map<std::string, Value, std::less<>>& names, const Expr& e);
  /// A known number; empty where the expression depends on more than the choices.
  std::optional<Value> known(const Expr& e);

  Builder& builder() { return builder_; }
  Value scalar(Register r) const { return {.shape = builder_.shape(r), .reg = r}; }
  /// A value of the shape and extents of `like`.
  static Value with(const Value& like, Register r);
  /// A vector of `n` entries named `text`.
  static Value vector(Register r, std::int64_t n, std::string text);
  static Value matrix(Register r, std::int64_t rows, std::int64_t cols, std::string rows_text, std::string cols_text);

 private:
  Value evaluate(const Expr& e);
  Value variable(const Expr& e);
  Value arithmetic(const Expr& e);
  Value product(const Expr& e, const Value& a, const Value& b);
  Value entrywise(const Expr& e, Binary f, const Value& a, const Value& b);
  Value raised(const Expr& e, const Value& a, const Value& b, bool elementwise);
  Value index(const Expr& e);
  Value slice(const Expr& e);
  Value array(const Expr& e);
  Value comprehension(const Expr& e);
  Value expectation(const Expr& e);
  Value call(const Expr& e);
  Value recursion(const Expr& e, const Recursion& recursion);
  Value user_function(const Expr& e, const Definition& definition);
  Formula relation(const Expr& e);
  void keep_interval_in_order(const Set& set);
  void add_condition(Formula condition);
  void bind(const Binder& binder);
  Value element_of(const Binder& binder, RawInput& input);
  void refuse_random(Register r, const Expr& e);
  /// Errors: `Oversized` beyond as many as the memory limit allows.
  void count_step(const Expr& e);

  const Statement& statement_;
  const Choices& choices_;
  Builder builder_;
  std::vector<std::map<std::string, Value, std::less<>>> scopes_;  ///< innermost last; the first holds the variables
  std::map<std::string, std::map<std::int64_t, Value>> recursions_;
  std::vector<std::string> open_definitions_;
  bool inside_expectation_ = false;
  std::size_t steps_ = 0, most_steps_;  ///< expressions evaluated
  Program program_;
};

/// One built-in function applied to its arguments (functions_of_arrays.cpp and others); empty for a name it lacks.
Value call_function(Compiler& compiler, const Expr& e);
/// attention("name", q, k, v, option = ...).
Value call_attention(Compiler& compiler, const Expr& e);

}  // namespace attest::language
