// Conditions that are equations, which hardly a point in doubles meets, read as the sets that give such points by
// construction.
#pragma once

#include "theorems/language/tree.hpp"

namespace attest::referee {

/// The same statement where a vector x is bound to R^n (or to numbers from 0 on) and a condition says that
/// norm(x) = 1, norm(x)^2 = 1 or dot(x, x) = 1: x in sphere(n); or that sum(x) = 1, where its numbers lie in [0, 1] or
/// [0, inf), or min(x) >= 0 is a condition, too: x in simplex(n). Conditions that the set implies go; all else stays.
language::Statement with_sets_of_conditions(language::Statement statement);

}  // namespace attest::referee
