// What kinds of relations a formula holds.
#pragma once

#include "theorems/language/program.hpp"

namespace attest::referee {

/// A relation that equality breaks: < or >.
bool is_strict_relation(const language::Formula& formula);

/// Whether it holds such a relation, or denies anything.
bool has_strict_relation(const language::Formula& formula);

/// Whether it holds an equation.
bool has_equation(const language::Formula& formula);

}  // namespace attest::referee
