// `attest list --quantities`: what can be swept.
#pragma once

namespace attest::commands {

/// Prints every quantity with its formula, parameters and results, for people or as one JSON array. Returns the exit
/// status.
int list_quantities(bool json);

}  // namespace attest::commands
