// Violations where doubles lead nowhere: where both sides are the same double, and next to open ends.
#pragma once

#include <vector>

#include "theorems/engine/context.hpp"
#include "theorems/referee/trials/trials.hpp"
#include "theorems/referee/trials/violations.hpp"

namespace attest::referee {

/// How near an open end at 0 is probed; another end to the next double.
inline constexpr double nearest_to_zero = 1e-300;

/// Violations that balls confirm at three kinds of points of each trial with at most a few hundred variables: the
/// tightest ones, and one where every number is 1, where doubles do not tell the sides apart (1/3 =
/// 0.3333333333333333); with the variables that have an open end brought within 1e-12, 1e-15, 1e-30, ... of it, one at
/// a time, all lower ends at once and all upper ends; and with all unbounded variables brought to magnitudes from 1 to
/// 1e300 where doubles cannot tell the sides apart (tanh x and 1) or overflow. Of equations only the first kind;
/// of expectations the corners of the intervals that one or two numbers run over. Sets `went_to_ends` of the trials
/// whose open ends were all probed.
std::vector<Violation> probed_violations(std::vector<Trial>& trials, const engine::Context& context);

}  // namespace attest::referee
