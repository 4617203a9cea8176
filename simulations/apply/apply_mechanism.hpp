// One attention mechanism on the arrays of a file.
#pragma once

#include "kernels/attention/mechanism/mechanism.hpp"
#include "simulations/arrays/array.hpp"

namespace attest::simulations {

struct ApplyPlan {
  attention::Settings settings;
  bool gradients = false;
  ElementType type = ElementType::float64;  ///< float64 or float32: what is computed in and given back
  unsigned threads = 0;                     ///< 0: one a core; never changes a result
  attention::Device device = attention::Device::cpu;
};

/// `out`, and with `gradients` also `loss` = sum(out * R), a scalar, and `grad.<input>` for every floating-point input
/// but R. `arrays`: the mechanism's inputs by name, and as they apply `mask`, `key_lengths` and R (ignored without
/// `gradients`). The sum of the loss is compensated.
/// Errors: std::invalid_argument in one sentence naming the array or setting (attention::evaluate, call_from_arrays).
NamedArrays apply_mechanism(const attention::Mechanism& mechanism, const NamedArrays& arrays, const ApplyPlan& plan);

/// Small arrays that the mechanism takes (2 sequences, 4 heads, 12 tokens, ...), and R: what a newcomer can try it on.
/// A pure function of the mechanism and the settings. Errors: as attention::evaluate, for the settings.
NamedArrays example_arrays(const attention::Mechanism& mechanism, const attention::Settings& settings);

}  // namespace attest::simulations
