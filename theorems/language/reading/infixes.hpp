// The operators between two expressions. Included by build_expression.cpp alone.
#pragma once

#include <array>
#include <string_view>

#include "theorems/language/tree.hpp"

namespace attest::language::binding {

/// How tightly operators bind; `-x^2` is -(x^2), `-x*y` is (-x)*y.
enum Level { any = 0, implication = 1, disjunction, conjunction, negation, relation, sum, product, sign, power };

struct Infix {
  std::string_view sign;
  Op op;
  Level level;
};
constexpr std::array infixes = std::to_array<Infix>({
    {"=>", Op::implication, implication},
    {"implies", Op::implication, implication},
    {"or", Op::disjunction, disjunction},
    {"and", Op::conjunction, conjunction},
    {"<=", Op::less_equal, relation},
    {">=", Op::greater_equal, relation},
    {"==", Op::equal, relation},
    {"=", Op::equal, relation},
    {"!=", Op::negation, relation},
    {"<>", Op::negation, relation},
    {"<", Op::less, relation},
    {">", Op::greater, relation},
    {"+", Op::add, sum},
    {"-", Op::subtract, sum},
    {"*", Op::multiply, product},
    {"@", Op::multiply, product},
    {"/", Op::divide, product},
    {".*", Op::times_elementwise, product},
    {"./", Op::divide_elementwise, product},
    {"^", Op::power, power},
    {"**", Op::power, power},
    {".^", Op::power_elementwise, power},
});

}  // namespace attest::language::binding
