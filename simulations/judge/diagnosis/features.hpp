// What failing cases have in common.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "simulations/judge/trial/trial.hpp"

namespace attest::judge {

/// The class of wrong gradients that a feature stands for when cases with it fail and cases without it pass; without a
/// name when no feature tells them apart.
Fault fault_by_feature(const std::vector<const CaseSpec*>& fails, const std::vector<const CaseSpec*>& passes);

/// Whether causal, window or mask hide keys.
bool hides_keys(const CaseSpec& spec);

}  // namespace attest::judge
