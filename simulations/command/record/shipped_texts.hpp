// The results that ship, as they stood when this program was built.
#pragma once

#include <vector>

namespace attest::commands {

/// A file of simulations/results: its name without ending and its text.
struct ShippedText {
  const char* name;
  const char* text;
};

/// All of them, in the order of their names.
const std::vector<ShippedText>& shipped_texts();

}  // namespace attest::commands
