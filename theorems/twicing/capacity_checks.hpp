// Checks of the two eigencapacities against each other, shared by the statements on them.
#pragma once

#include "theorems/engine/claim.hpp"

namespace attest::twicing {

/// kappa_n(2x - x^2) / kappa_n(x) ~ factor sqrt(pi n) / 2, n up to 10^12.
engine::Check gain_of_twicing(double factor);

/// denominator kappa_n(q) >= numerator kappa_n(x), n = 1, ..., 1000, for q(x) = 2x - 2x^2, as printed, or 2x - x^2.
engine::Check slower_capacity(bool as_printed, double numerator, double denominator);

}  // namespace attest::twicing
