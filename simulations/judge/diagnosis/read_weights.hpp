// The weights that a target gives to keys, read off through values that are columns of the identity.
#pragma once

#include <string>

#include "simulations/judge/trial/trial.hpp"

namespace attest::judge {

/// What weights say about the cause of a failure.
struct WeightsSay {
  std::string class_name = {};  ///< empty: nothing (sums and visibility are as they should be, or there was no answer)
  bool only_sums = false;       ///< every weight is where it should be, and rows do not sum to what they should
};

/// Reads the weights of a failing case. `widths_differ`: values of another width than keys are taken.
WeightsSay class_by_weights(const CaseSpec& spec, Target& target, const TrialSettings& settings, bool widths_differ);

}  // namespace attest::judge
