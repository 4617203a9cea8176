// Violations where doubles lead nowhere: next to open ends, and where both sides are the same double.
#pragma once

#include <vector>

#include "theorems/engine/context.hpp"
#include "theorems/referee/protocols/protocols.hpp"
#include "theorems/referee/protocols/trials.hpp"

namespace attest::referee {

/// How near an open end at 0 is probed; another end to the next double.
inline constexpr double nearest_to_zero = 1e-300;

/// Violations that balls confirm at two kinds of points beside the tightest ones of each trial, of at most a few
/// hundred variables: with the variables that have an open end brought within 1e-12, 1e-15, 1e-30, ... of it, one at a
/// time, all lower ends at once and all upper ends; and with all unbounded variables brought to magnitudes from 1 to
/// 1e6 where doubles cannot tell the sides apart (tanh x and 1) or overflow. Nothing for expectations and equations.
/// Sets `went_to_ends` of the trials whose open ends were all probed.
std::vector<Violation> probed_violations(std::vector<Trial>& trials, const engine::Context& context);

}  // namespace attest::referee
