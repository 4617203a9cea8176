// The attention mechanisms once more, as LibTorch operations: for devices and number types that the kernels do not
// have.
#pragma once

#include "simulations/models/attention_bridge.hpp"

namespace attest::models {

/// attend_packed by LibTorch's operations, with their gradients: the same values up to rounding, tested against the
/// kernels mechanism by mechanism. For the half types products are taken in them, and sums, means, softmax and
/// exponents in float32. Dropout draws other patterns than the kernels do, of the same law. Softmax, and what is made
/// of it, in half and bfloat16 on a CUDA device: by the library's kernels there (fused_attention.hpp).
/// Errors: std::invalid_argument for an option that the mechanism does not know, for options and inputs that run on the
/// kernels alone (`kernels_alone` of their description), and for independent-positions, which no model can have.
/// std::logic_error for an added seed of a call that fused_attention does not take.
at::Tensor attend_by_operations(const AttentionCall& call, const at::Tensor& qkv, attention::Index heads,
                                const ExtraInputs& extra = {});

/// Whether attend_by_operations makes the mechanism of fused_attention and sums of arrays alone, wherever that takes
/// the call.
bool is_fused_alone(const attention::Mechanism& mechanism);

}  // namespace attest::models
