// Whether a failure comes with the number of keys.
#pragma once

#include <string>

#include "simulations/judge/trial/trial.hpp"

namespace attest::judge {

/// Puts the case with 25 numbers of keys from 1 to 129 to the target. "wrong at lengths that are not multiples of the
/// tile" when some tile of at least 4 has every multiple right (at least two of them) and something longer than one
/// tile wrong; "wrong across tiles of keys" when everything up to a length of at least 4 is right and most of what is
/// longer wrong; otherwise none, and none where the wrong lengths are the multiples of one. Precondition: a case of
/// softmax attention without packed sequences.
Fault fault_by_lengths(const CaseSpec& spec, const std::string& output, Target& target, const TrialSettings& settings);

}  // namespace attest::judge
