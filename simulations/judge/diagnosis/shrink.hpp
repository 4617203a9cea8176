// The smallest case of a finding.
#pragma once

#include "simulations/judge/diagnosis/diagnose.hpp"

namespace attest::judge {

/// Makes the finding's case smaller as long as it shows the same class: fewer sequences, heads, queries, keys,
/// features, options, and whole numbers for entries. Each step is one more trial; ends after `seconds`.
void shrink(Finding& finding, Target& target, const TrialSettings& settings, double seconds);

}  // namespace attest::judge
