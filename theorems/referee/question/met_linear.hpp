// Linear equations among the conditions, met by construction.
#pragma once

#include <optional>

#include "theorems/language/tree.hpp"
#include "theorems/referee/question/met_equations.hpp"

namespace attest::referee {

/// `forall a, b in R, c in [0, 1] where a + 2*b = c: claim` as `let b = (c - a)/2: forall a in R, c in [0, 1]: claim`:
/// an equation in which a number of `forall` stands once, alone or times a number. And `forall n in 2..8, x in R^n
/// where sum(x) = c: claim` as `let x = x_free - mean(x_free) + c/n: ...`, where every x is its own x_free; likewise
/// mean(x) = c, and trace(X) = c of a matrix in R^(n, n) or symmetric(n). What bounds an interval becomes a condition.
/// One equation after the other, as long as there are any. Nothing where there is none.
std::optional<MetEquations> with_linear_equations_met(const language::Statement& statement);

}  // namespace attest::referee
