// What failing cases have in common.
#pragma once

#include <algorithm>
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

/// Whether the case is of a family whose logits go beyond the usual.
bool has_large_logits(const CaseSpec& spec);

/// Whether heads have more features than the 64 that every kernel is made for.
inline bool has_wide_heads(const CaseSpec& spec) { return std::max(spec.width, spec.value_width) > 64; }

}  // namespace attest::judge
