// Dropout on a CUDA device by the library's own kernel, inside LibTorch's autograd graph.
#pragma once

#include <ATen/ATen.h>

#include "kernels/attention/attend/attend.hpp"

namespace attest::models {

/// Whether the library's kernels reach the tensor: one on the first CUDA device, and a build of the library with CUDA.
bool is_within_reach(const at::Tensor& x);

/// x / (1 - rate) where entry i of x, in the order of its memory made contiguous, survives, else 0
/// (kernels/attention/cuda/drop_entries.hpp): no mask is kept for the way back. `added_seed` [1] (int64) on the device
/// is added to the seed; undefined: 0. Preconditions: is_within_reach(x); x is float32, float16 or bfloat16.
at::Tensor fused_dropout(const at::Tensor& x, const attention::Dropout& dropout, const at::Tensor& added_seed);

/// Such a seed among the arguments of a function of LibTorch's graph, which asks every tensor for its device.
struct SeedOnDevice {
  at::Tensor there;
};

/// The number of the library for such a seed; null for an undefined one.
const std::uint64_t* seed_in_memory(const at::Tensor& added_seed);

}  // namespace attest::models
