// Softmax attention on a CUDA device by the library's own kernels, inside LibTorch's autograd graph.
#pragma once

#include "simulations/models/operands.hpp"

namespace attest::models {

/// Whether fused_attention takes the call: half or bfloat16 queries, keys and values on the first CUDA device, no
/// lengths of sequences, and a build of the library with CUDA.
bool can_fuse(const Operands& o);

/// softmax(q k^T/sqrt(D)) v under the call's causal mask and dropout, [B][H][N][D], with gradients by q, k and v
/// (kernels/attention/attend/attend_cuda.hpp): no matrix of N x N entries is kept. Dropout has the pattern of the
/// processor's kernels. The same bits on every run on one device. Precondition: can_fuse.
/// Errors: attention::CudaError.
at::Tensor fused_attention(const Operands& o);

}  // namespace attest::models
