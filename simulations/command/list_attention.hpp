// attest list --attention: the attention mechanisms that attest apply evaluates.
#pragma once

#include <string>

namespace attest::commands {

/// Prints every mechanism with its title, formula, source, inputs, options and cost, for people or as a JSON array.
/// Returns the exit code.
int list_attention(bool json);

/// What `attest apply --help` teaches beyond its options.
std::string apply_help();

}  // namespace attest::commands
