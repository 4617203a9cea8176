// What a run amounts to as a badge for other pages.
#pragma once

#include <string>

#include "reports/record/results.hpp"

namespace attest::reports {

/// An SVG image of one line: "attest | 68 certified, 300 supported, 3 refuted" by the counts over all statements, in
/// the colour of trouble when a verdict is `error` or not the one on record, a near-miss was missed, a near-hit does
/// not stand, the run was interrupted, or there is no statement.
std::string badge_svg(const Results& results);

}  // namespace attest::reports
