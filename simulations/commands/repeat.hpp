// attest repeat: expectations and probabilities drawn again by another program with other random numbers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attest::commands {

/// theorems/evidence/repeat_evidence.py as it stood when the program was built.
std::string_view evidence_repeater();

struct RepeatOptions {
  std::vector<std::string> statements;  ///< as `statements_named` takes them, or stochastic evidence files
  std::string directory = "";           ///< where the stochastic evidence is kept; empty for nowhere
  std::string budget = "quick";
  std::uint64_t seed = 1;
  unsigned threads = 0;
};

/// Judges each statement, draws its expectations at the witness or tightest point, and lets NumPy draw them again.
/// Prints for each whether both intervals overlap. Returns 0 where all do, 1 where one does not, 4 where a statement
/// has nothing to repeat or says what the repeater does not know. Errors: std::invalid_argument as `statements_named`,
/// and where no python3 with NumPy and mpmath is found.
int repeat(const RepeatOptions& options);

}  // namespace attest::commands
