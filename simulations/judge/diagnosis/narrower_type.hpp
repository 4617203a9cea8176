// Errors that look like the rounding of a narrower type.
#pragma once

#include <vector>

#include "simulations/judge/trial/trial.hpp"

namespace attest::judge {

/// Names failures within the bounds of a narrower type, spread over most entries and both ways, and of other mechanisms
/// than softmax such that the errors are others when the queries are a sixteenth larger: those of a wrong formula stay
/// alike. Of other mechanisms, only where three quarters of the failing cases are of this kind.
/// A 16-bit case is named only where no wide one fails otherwise. May put further calls to the target.
void name_narrower_type(std::vector<Record>& records, Target& target, const TrialSettings& settings, bool gradient);

}  // namespace attest::judge
