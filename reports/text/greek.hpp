// The Greek letters by the names that TeX and people give them.
#pragma once

#include <string_view>

namespace attest::reports {

/// The letter called so ("alpha", "varepsilon", "Sigma") in UTF-8, or nothing.
std::string_view greek_letter(std::string_view name);

}  // namespace attest::reports
