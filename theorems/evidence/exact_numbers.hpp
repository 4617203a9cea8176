// Numbers of evidence files: exact, as decimals or p/q.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/rigor/ball.hpp"
#include "kernels/rigor/rational.hpp"
#include "theorems/language/program.hpp"
#include "theorems/language/tree.hpp"

namespace attest::evidence {

/// A whole or finite variable's value: "inf", or the fraction of least denominator (at most 1000) that the double is
/// nearest to, as 1/3 was written; else the double itself.
std::string exact_choice(double value);

/// The exact ends of a finite ball; nullopt where one is beyond 2^4000, or nearer to 0 than 2^-4000 and not 0.
std::optional<std::pair<rigor::Rational, rigor::Rational>> ends_of(const rigor::Ball& ball);

/// The number that an expression of numbers, choices and + - * / is; nullopt for anything else.
std::optional<rigor::Rational> exact_constant(const language::Statement& statement, const language::Expr& expression,
                                              const language::Choices& choices);

/// Every combination of the whole and finite variables, the first name's values outermost, in the order written;
/// nullopt where there are more than `most` or a range has no end. Errors: language::Problem of the ranges' ends.
std::optional<std::vector<language::Choices>> all_choices(const language::Statement& statement, std::size_t most);

}  // namespace attest::evidence
