// attest replay: evaluates a stored counterexample again.
#pragma once

#include <cstdint>
#include <string>

namespace attest::commands {

/// Prints both sides at the inputs of the witness in `file`, a path from here or, as reports print it, from out/. A
/// `fresh_seed` other than 0 replaces the seed of a stochastic witness. Returns 0 when the witness is confirmed, 1 when
/// it is not. Errors: std::invalid_argument.
int replay(const std::string& file, std::uint64_t fresh_seed);

}  // namespace attest::commands
