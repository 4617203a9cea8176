// where K(0) = 1, K(l+1) = a*K(l) + t: recursions, found among the conditions.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "theorems/language/tree.hpp"

namespace attest::language {

/// Takes out of `conditions` every equation f(k) = ... whose f is not `known` (a function or a definition) and puts
/// them together. Steps are shifted to K(l + ahead) = ... K(l + ahead - 1) ... K(l), each index written l or l + c.
/// Names are as written. Errors: `Problem` for a recursion without a step or with too few or too many starts, for two
/// steps, and for earlier values at anything but l + c.
std::vector<Recursion> take_recursions(std::vector<Expr>& conditions,
                                       const std::function<bool(const std::string&)>& known);

}  // namespace attest::language
