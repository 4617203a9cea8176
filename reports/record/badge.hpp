// What a run amounts to as a badge for other pages.
#pragma once

#include <string>

#include "reports/record/results.hpp"

namespace attest::reports {

/// An SVG image of one line: "attest | 68 certified, 300 supported, 3 refuted" by the counts over all statements, in
/// the colour of trouble when a verdict is not the one on record or the run was interrupted.
std::string badge_svg(const Results& results);

}  // namespace attest::reports
