// The weights that a target gives to keys, read off through values that are columns of the identity.
#pragma once

#include <string>

#include "simulations/judge/diagnosis/needed_features.hpp"

namespace attest::judge {

/// Reads the weights of a failing case and compares them with the right ones. Keys that get weight and must not, or the
/// reverse, name the option that hides them among what the failure needs: causal masks by whether only keys next to the
/// diagonal are concerned, masks by whether keys are only added, only missing, or both. "rows of weights do not sum to
/// 1" is said only where the weights are right once each row is divided by its sum, or where those that are there are
/// right and others are cleared; "wrong values" of other mechanisms where neither holds. None when weights say
/// nothing. `widths_differ`: values of another width than keys are taken. Puts at most two calls to the target.
Fault fault_by_weights(const Needed& needed, Target& target, const TrialSettings& settings, bool widths_differ);

}  // namespace attest::judge
