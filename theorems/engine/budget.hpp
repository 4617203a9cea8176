// How much work a run may do.
#pragma once

#include <string>

namespace attest::engine {

/// A multiplier of every check's evaluations, or a number of seconds to spend by doubling it.
struct Budget {
  std::string name = "standard";
  double effort = 4;   ///< quick 1, standard 4, deep 32; the first round's effort for a budget in seconds
  double seconds = 0;  ///< 0: one round at `effort`; else rounds at doubled efforts while the next is expected to fit
};

/// "quick", "standard", "deep" or "<seconds>s", for example "90s".
/// Errors: std::invalid_argument naming the word and the choices.
Budget parse_budget(const std::string& word);

}  // namespace attest::engine
