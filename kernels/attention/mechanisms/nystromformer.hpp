// Attention through landmarks, with and without linear position biases.
#pragma once

#include "kernels/attention/mechanism/mechanism.hpp"

namespace attest::attention::definitions {

/// `description` (name, title, formula, source) with inputs, options, forward pass and cost of nystrom_attend;
/// `biased`: with ALiBi's slopes.
Mechanism through_landmarks(Mechanism description, bool biased);

}  // namespace attest::attention::definitions
