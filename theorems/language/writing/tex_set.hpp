// How sets and laws are typeset.
#pragma once

#include <string>
#include <string_view>

#include "theorems/language/tree.hpp"

namespace attest::language {

/// \mathbb{R}^{m \times n}, (0, 1], \{1, \dots, n\}, ...
std::string tex_set(const Set& set);
/// \mathcal{N}(0, 1)^{n}, ...
std::string tex_law(const Law& law);
/// Plain words inside \text{...}.
std::string tex_text(std::string_view words);

}  // namespace attest::language
