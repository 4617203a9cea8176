// Projection along the tokens: the low-rank step of Linformer.
#pragma once

#include <vector>

#include "kernels/attention/tensor.hpp"

namespace attest::attention {

/// Row r of head h is sum_n e(n, r) x(b, h, n), over the first `lengths`[b] tokens (empty: all): [B][H][r][D] from x
/// [B][H][N][D] and e [N][r], or [H][N][r] for one projection per head. Sums are in double. `threads` 0: one per
/// core; the same bits for any number. Precondition: extents fit.
template <typename T>
Tensor<T> project_tokens(const Tensor<T>& x, const Tensor<T>& e, const std::vector<Index>& lengths, unsigned threads);

template <typename T>
struct ProjectTokensGradients {
  Tensor<T> x, e;
};

/// Gradients of sum(project_tokens(x, e) * dout). Products are summed 64 at a time in T, and over sequences and heads
/// that share a projection in double.
template <typename T>
ProjectTokensGradients<T> project_tokens_backward(const Tensor<T>& x, const Tensor<T>& e,
                                                  const std::vector<Index>& lengths, const Tensor<T>& dout,
                                                  unsigned threads);

}  // namespace attest::attention
