// Evidence at a glance: small drawings that put a number beside what it is measured against.
#pragma once

#include <string>
#include <vector>

#include "reports/record/results.hpp"

namespace attest::reports::html {

/// The interval, its estimate and the bound on one axis. Empty without an interval with a finite end.
std::string interval_strip(const Evidence& evidence);

/// The parts that have both interval and bound, one below the other: as ratios to their bounds when all bounds are
/// positive, on one axis of values otherwise; an axis with numbers stands below. More than twelve are not named. Empty
/// for fewer than two such parts.
std::string forest_strip(const std::vector<Part>& parts);

/// How much of the bound was attained: a bar from 0 to the tightness with a line at 1. Empty when it does not apply.
std::string tightness_strip(const Evidence& evidence);

/// The planted errors that were judged, by their sizes on a logarithmic axis, those that were caught filled (of one
/// size at most three of them, one above the other); the smallest caught is named. Empty when fewer than two different
/// sizes were planted.
std::string near_miss_strip(const Claim& claim);

}  // namespace attest::reports::html
