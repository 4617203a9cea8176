// Shapes of expressions that the referee reads a statement by, and what it makes of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "theorems/language/tree.hpp"

namespace attest::referee {

bool is_number(const language::Expr& e, std::int64_t value);

/// inf, or -inf.
bool is_infinite(const language::Expr& e);

/// The variable `name`.
bool is_name(const language::Expr& e, const std::string& name);

/// f(x), or f(x, x) for a function of two arguments, without options.
bool is_call_of(const language::Expr& e, const std::string& function, const std::string& name,
                std::size_t arguments = 1);

/// sum(x), or sum(i in 1..n: x[i]) for a vector of n = `extent` entries.
bool is_sum_of_entries(const language::Expr& e, const std::string& name, const language::Expr& extent);

/// Whether the expression is certainly one number, not an array: numbers, variables of plain sets, entries, sums over
/// an index, norms and the like, and arithmetic and elementary functions of these.
bool is_scalar(const language::Statement& statement, const language::Expr& e);

/// A sum taken apart: what is added and what is taken away.
struct Summands {
  std::vector<language::Expr> plus, minus;
};
Summands summands_of(const language::Expr& e);

/// The sum of terms. Precondition: there is one.
language::Expr sum_of(const std::vector<language::Expr>& terms);

/// The same conditions with conjunctions taken apart.
std::vector<language::Expr> conjuncts_of(const std::vector<language::Expr>& conditions);

/// That `name` is at least (or above) the lower end of an interval, and at most (or below) the upper one; nothing where
/// that end is infinite.
std::vector<language::Expr> lower_bound_of(const language::Set& interval, const std::string& name);
std::vector<language::Expr> upper_bound_of(const language::Set& interval, const std::string& name);

/// `name` with as many _ behind it as make it a name that the statement neither binds nor defines.
std::string fresh_name(const language::Statement& statement, std::string name);

}  // namespace attest::referee
