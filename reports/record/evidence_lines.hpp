// The numbers of a piece of evidence as named lines, in the order in which a reader wants them.
#pragma once

#include <vector>

#include "reports/record/results.hpp"

namespace attest::reports {

/// Estimate, interval, bound, slack, tightness, effort, error rates and everything else the evidence holds, spelled for
/// reading. Protocol, reason, parts and figures are not among them.
std::vector<NamedText> evidence_lines(const Evidence& evidence);

}  // namespace attest::reports
