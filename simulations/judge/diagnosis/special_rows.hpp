// Failures that the rows themselves explain: rows that see nothing, and logits beyond what exponentials hold.
#pragma once

#include <vector>

#include "simulations/judge/trial/trial.hpp"

namespace attest::judge {

/// Names failures that all lie in rows which see nothing: NaN, not zero, a wrong lse, NaN gradients; or "masked keys
/// get weight" where such a row is what hidden logits lowered by a constant would give.
void name_empty_rows(std::vector<Record>& records, const TrialSettings& settings);

/// Names failures of the cases with large logits, of outputs that are right in a case without: overflow where NaN or
/// nothing finite is returned; underflow where all rows that fail have only logits below -80, whose exponentials vanish
/// in float32, and what is off there is 0, infinite or NaN. With `only_certain`, only underflow to 0, or of lse to
/// -infinity.
void name_large_logits(std::vector<Record>& records, const TrialSettings& settings, bool only_certain);

}  // namespace attest::judge
