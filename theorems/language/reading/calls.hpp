// Calls of the language's own functions, brought to their one spelling.
#pragma once

#include <string>

#include "theorems/language/tree.hpp"

namespace attest::language {

/// The call with aliases resolved, options that name a parameter at its place, transpose(A) as A', norm(A, "fro") as
/// frobenius(A), opnorm(A, p) as norm(A, p) and max(a, b, c) as max(max(a, b), c). Arguments are taken as they are.
/// Errors: `Problem` for a wrong number of arguments, an unknown option, and an unknown attention mechanism.
/// Precondition: `find_function(call->name)` knows it.
Expr canonical_call(const Expr& call);

}  // namespace attest::language
