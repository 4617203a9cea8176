// The attention mechanisms written in the language itself: what their outputs are by definition.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace attest::language {

/// A mechanism's output as expressions over its arrays q, k, v, ... and its settings, for one sequence and one head
/// without a mask. Each step may use the names before it; the last is the output. A setting "2,3" of the name grid is
/// the two names grid_1 and grid_2.
struct MechanismDefinition {
  struct Named {
    std::string_view name;
    std::string_view text;
  };
  std::string_view mechanism;
  std::vector<Named> settings = {};        ///< all that the steps know, with their defaults; empty: must be given
  std::vector<Named> further_inputs = {};  ///< arrays beside q, k, v, each with the name that stands for it if absent
  std::vector<Named> steps = {};
  /// In the place of steps: out = (c_1 A + c_2 A^2 + ...) v with A = softmax(q k' / sqrt(D)), over the keys up to each
  /// query with causal = true; powers beyond the first want as many keys as queries.
  std::vector<int> powers_of_softmax = {};
};

/// nullptr where there is none.
const MechanismDefinition* find_definition(std::string_view mechanism);

}  // namespace attest::language
