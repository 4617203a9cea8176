// One homogeneous equation among the conditions, met by construction.
#pragma once

#include <optional>

#include "theorems/language/tree.hpp"
#include "theorems/referee/question/met_equations.hpp"

namespace attest::referee {

/// `forall x, y in R where x^2 + y^2 = 1: claim` as `let x = x_free*x_scale, y = y_free*x_scale, x_scale =
/// (1/(x_free^2 + y_free^2))^(1/2): forall x_free, y_free in R where x_free^2 + y_free^2 > 0: claim`: one condition h =
/// c between numbers, with h positively homogeneous of some degree in the variables of `forall` that it mentions, all
/// of which range over R, R^n, R^(m, n), intervals, symmetric(n) or psd(n), and c > 0 a number or an expression of
/// chosen sizes. What bounds an interval becomes a condition. Nothing where there is no such condition, where it is
/// linear over sets of reals, or where another equation that is not homogeneous with the right side 0 mentions its
/// variables.
std::optional<MetEquations> with_homogeneous_equation_met(const language::Statement& statement);

}  // namespace attest::referee
