// What a mechanism's traits say of one call: which changes of its inputs change the output in a known way.
#pragma once

#include "kernels/attention/mechanism/mechanism.hpp"

namespace attest::attention {

/// Whether an input holds values: v, and the values of other layers. Twice all of these is exactly twice the output, of
/// every mechanism (weights may depend on them, but not on their scale).
bool is_of_values(const InputSpec& input);

/// Whether the order of tokens matters, apart from a causal mask, with these settings and the inputs that examples
/// hold.
bool depends_on_order(const Mechanism& mechanism, const Settings& settings);

/// `Mechanism::shift` with these settings and inputs: none where one of them breaks it.
template <typename T>
Shift shift_of(const Mechanism& mechanism, const Settings& settings, const Arrays<T>& inputs);

/// Whether the settings make heads and sequences depend on each other. Otherwise what is computed of a head of a
/// sequence depends on its own tokens alone, in every mechanism.
bool joins_heads_and_sequences(const Mechanism& mechanism, const Settings& settings);

}  // namespace attest::attention
