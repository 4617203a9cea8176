// Failures that a known way to be wrong reproduces.
#pragma once

#include <vector>

#include "simulations/judge/trial/trial.hpp"

namespace attest::judge {

/// Names failures of softmax attention (of the gradients, or of everything else) by the fewest hypotheses that
/// reproduce the answers within their own bounds. A hypothesis that explains less than a quarter of the failures that
/// it speaks of explains none.
void name_by_hypotheses(std::vector<Record>& records, const TrialSettings& settings, bool gradient);

}  // namespace attest::judge
