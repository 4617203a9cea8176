// What failing cases have in common.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "simulations/judge/trial/trial.hpp"

namespace attest::judge {

/// The class that a feature stands for when cases with it fail and cases without it pass; empty when no feature tells
/// them apart. `fails` and `passes` are the cases; `gradient`: it is the gradients that fail.
std::string class_by_feature(const std::vector<const CaseSpec*>& fails, const std::vector<const CaseSpec*>& passes,
                             bool gradient);

/// "causal", "window", ...: options that change what is seen or added; used to name a gradient's class.
bool hides_keys(const CaseSpec& spec);

}  // namespace attest::judge
