// Names get their meaning: what is bound, what is called, what is left over.
#pragma once

#include "theorems/language/reading/draft.hpp"
#include "theorems/language/tree.hpp"

namespace attest::language {

/// The statement with every name resolved: aliases by their one name, options that name a parameter at its place, pi
/// and e as constants unless bound, recursions taken out of the conditions, the limit of f(n) = O(...) bound. Errors:
/// `Problem` for names that are unknown, not bound, bound twice, reserved or used before they are bound, for a wrong
/// number of arguments, circular definitions and incomplete recursions, and for random variables outside E and P.
Statement resolve(Draft draft);

/// An expression whose free names are left as they are. Errors: as above, but for names that are not bound.
Expr resolve(const Expr& expression);

}  // namespace attest::language
