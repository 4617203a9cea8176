// The weights that a target gives to keys, read off through values that are columns of the identity.
#pragma once

#include <string>

#include "simulations/judge/trial/trial.hpp"

namespace attest::judge {

/// What the weights of a failing case say about its cause: a class of finding, or empty where they say nothing (row
/// sums and visibility are as they should be, or the target gave no answer). `widths_differ`: values of another width
/// than keys are taken.
std::string class_by_weights(const CaseSpec& spec, Target& target, const TrialSettings& settings, bool widths_differ);

}  // namespace attest::judge
