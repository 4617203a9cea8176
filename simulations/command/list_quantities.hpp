// `attest list --quantities`: what can be swept.
#pragma once

#include <string>
#include <vector>

namespace attest::commands {

/// Prints the quantities of these names, or every one where none is given, with formula, parameters and results, for
/// people or as one JSON array. Returns the exit status. Errors: std::invalid_argument for an unknown name.
int list_quantities(const std::vector<std::string>& names, bool json);

}  // namespace attest::commands
