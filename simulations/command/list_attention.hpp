// attest list --attention: the attention mechanisms that attest apply evaluates.
#pragma once

#include <string>
#include <vector>

namespace attest::commands {

/// Prints the mechanisms of these names, or every one where none is given, with title, formula, source, inputs, options
/// and cost, for people or as a JSON array. Returns the exit code. Errors: std::invalid_argument for an unknown name.
int list_attention(const std::vector<std::string>& names, bool json);

/// What `attest apply --help` teaches beyond its options.
std::string apply_help();

}  // namespace attest::commands
