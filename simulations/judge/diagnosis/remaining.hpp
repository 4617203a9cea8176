// Failures that no hypothesis reproduces, named by experiments on the target.
#pragma once

#include <vector>

#include "simulations/judge/trial/trial.hpp"

namespace attest::judge {

/// Names all failures that are left (of the gradients, or of everything else), those of one output as one cause: a
/// result that is right in a fresh process depends on earlier calls; otherwise by what the failing case needs
/// (needed_features), by the lengths at which it fails (tile_lengths), by the weights read off (read_weights), and last
/// by the output's own name. An lse that is wrong where out is wrong has out's cause.
void name_remaining(std::vector<Record>& records, Target& target, const TrialSettings& settings, bool gradient);

}  // namespace attest::judge
