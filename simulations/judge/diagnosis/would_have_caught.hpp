// What a judgement without findings would have found.
#pragma once

#include <vector>

#include "simulations/judge/judgement.hpp"

namespace attest::judge {

/// For each element type and output the least relative error of one entry that some case would have shown, and for each
/// class of the hypotheses the number of judged cases whose answers would have differed beyond the bounds, with the
/// least error over bound that such an implementation would have shown in the case that shows it best. Computed from
/// the judged cases, hypotheses on the small ones.
std::vector<Caught> would_have_caught(const std::vector<Record>& records, const TrialSettings& settings);

}  // namespace attest::judge
