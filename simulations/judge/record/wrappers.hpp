// Wrappers to start from.
#pragma once

#include <string>
#include <string_view>

namespace attest::judge {

/// A file of about fifteen lines that puts a user's kernel behind the contract, for torch, jax, triton or c.
/// Errors: std::invalid_argument for another kind.
std::string_view wrapper(const std::string& kind);

}  // namespace attest::judge
