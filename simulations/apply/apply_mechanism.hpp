// One attention mechanism on the arrays of a file.
#pragma once

#include "kernels/attention/mechanism/mechanism.hpp"
#include "simulations/apply/layout.hpp"
#include "simulations/arrays/array.hpp"

namespace attest::apply {

using arrays::ElementType;

struct ApplyPlan {
  attention::Settings settings;
  bool gradients = false;
  /// What inputs are rounded to and results are given back in. float64 and float32 are computed in themselves (sums of
  /// the general attention path in float64); float16 and bfloat16 in float64, and results rounded once.
  ElementType type = ElementType::float64;
  unsigned threads = 0;  ///< 0: one per core; never changes a result
  attention::Device device = attention::Device::cpu;
  bool lse = false;  ///< also `lse`, and its part of the loss
  Layout layout = Layout::bhnd;
};

/// `out`, and with `gradients` also `loss` = sum(out * R), a scalar, and `grad.<input>` for every floating-point input
/// but R. With `lse` also `lse` [B][H][N_q], and where the arrays hold R_lse of that shape, loss = sum(out * R) +
/// sum(lse * R_lse), rows whose lse is infinite aside. `arrays`: the mechanism's inputs by name, and as they apply the
/// masks of call_from_arrays, R and R_lse (ignored without `gradients`). The sum of the loss is compensated.
/// Errors: std::invalid_argument in one sentence naming the array or setting (attention::evaluate, call_from_arrays),
/// when the mechanism gives no lse, and when a result overflows plan.type, which would be NaN or infinity.
NamedArrays apply_mechanism(const attention::Mechanism& mechanism, const NamedArrays& arrays, const ApplyPlan& plan);

/// The floating-point arrays rounded to `type`, where it is narrower than their own. Errors: std::invalid_argument
/// naming an array with a finite number that is beyond it.
NamedArrays rounded_inputs(const NamedArrays& arrays, ElementType type);

/// `settings` with what the arrays below need beside them: options without a default at their examples, and where they
/// would still be refused, the first option with whose example they are taken (12 tokens are not a square grid).
attention::Settings example_settings(const attention::Mechanism& mechanism, attention::Settings settings);

/// Small arrays that the mechanism takes (2 sequences, 4 heads, 12 tokens, ...), and R: what a newcomer can try it on.
/// A pure function of the mechanism and the settings. Errors: as attention::evaluate, for the settings.
NamedArrays example_arrays(const attention::Mechanism& mechanism, const attention::Settings& settings);

}  // namespace attest::apply
