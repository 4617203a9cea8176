// Depth-wise convolution of tokens in a row or on a grid, one kernel per head.
#pragma once

#include <vector>

#include "kernels/attention/tensor.hpp"

namespace attest::attention {

/// Where the tokens lie and what is left out.
struct ConvolutionGrid {
  Index rows = 1, cols = 1;         ///< token `first + r cols + c` lies at (r, c); rows = 1: a sequence
  Index first = 0;                  ///< tokens before it (a class token) are left as they are
  bool causal = false;              ///< in a sequence: the kernel ends at the token itself instead of around it
  std::vector<Index> lengths = {};  ///< [B]: tokens from the length on count as zeros; empty: all are real
};

/// Cross-correlation without bias, y(r, c) = sum_ab kernel_h(a, b) x(r + a - before(s_r), c + b - before(s_c)) for
/// every feature, zeros outside; before(s) = floor((s - 1)/2) ("same" padding), or s - 1 when causal. x [B][H][N][D];
/// kernel [H][s] in a sequence, [H][s_r][s_c] on a grid ("A Primal-Dual Framework for Transformers and Neural
/// Networks", Definitions 3, 4). Sums are in double. Precondition: extents fit.
template <typename T>
Tensor<T> convolve(const Tensor<T>& x, const Tensor<T>& kernel, const ConvolutionGrid& grid);

template <typename T>
struct ConvolveGradients {
  Tensor<T> x, kernel;
};

/// Gradients of sum(convolve(x, kernel) * dout).
template <typename T>
ConvolveGradients<T> convolve_backward(const Tensor<T>& x, const Tensor<T>& kernel, const ConvolutionGrid& grid,
                                       const Tensor<T>& dout);

}  // namespace attest::attention
