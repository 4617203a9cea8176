// Scaled arrays side by side: two dot products become one.
#pragma once

#include <vector>

#include "kernels/attention/tensor.hpp"

namespace attest::attention {

/// Row (b, h, n) is [a_factor[h] a(b, h, n), b_factor[h] b(b, h, n)], so that the dot product of two such rows is the
/// sum of both parts' dot products. a is [B][H][N][D_a], or [H][N][D_a] for the same rows in every sequence; b is
/// [B][H][N][D_b]; factors [H]. Precondition: extents fit. T is float or double.
template <typename T>
Tensor<T> concatenate(const Tensor<T>& a, const std::vector<T>& a_factor, const Tensor<T>& b,
                      const std::vector<T>& b_factor);

template <typename T>
struct ConcatenateGradients {
  Tensor<T> a, b;                     ///< in the shapes of a and b
  std::vector<T> a_factor, b_factor;  ///< [H]
};

/// Gradients of sum(concatenate(...) * dout).
template <typename T>
ConcatenateGradients<T> concatenate_backward(const Tensor<T>& a, const std::vector<T>& a_factor, const Tensor<T>& b,
                                             const std::vector<T>& b_factor, const Tensor<T>& dout);

}  // namespace attest::attention
