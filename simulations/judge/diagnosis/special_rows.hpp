// Failures that the rows themselves explain: rows that see nothing, and logits beyond what exponentials hold.
#pragma once

#include <vector>

#include "simulations/judge/trial/trial.hpp"

namespace attest::judge {

/// Names failures that all lie in rows which see nothing: NaN, not zero, a wrong lse, NaN gradients; or "masked keys
/// get weight" where such a row is what hidden logits lowered by a constant would give.
void name_empty_rows(std::vector<Record>& records, const TrialSettings& settings);

/// Names failures of the cases with large logits: overflow where NaN or nothing finite is returned; underflow where all
/// rows that fail have only logits below -80, whose exponentials vanish in float32. With `only_certain`, only what
/// fails nowhere else than in such rows, and is zero or infinite there.
void name_large_logits(std::vector<Record>& records, const TrialSettings& settings, bool only_certain);

}  // namespace attest::judge
