// The strided pattern of sparse attention in tiles: as two attentions whose softmaxes are joined.
#pragma once

#include <vector>

#include "kernels/attention/attend/attend.hpp"

namespace attest::attention {

template <typename T>
struct StridedOptions {
  Index stride = 1;  ///< at least 1
  bool causal = false;
  T scale = 1;
  std::vector<Index> key_lengths = {};  ///< [B]: keys 0..length-1 are real; empty: all are
  unsigned threads = 0;                 ///< 0: one per core; results have the same bits for any number
};

/// `attend` with the pairs of strided_pattern (kernels/attention/sparse/sparse_pattern.hpp) visible and no others.
///
/// Tokens whose places are equal modulo the stride see each other: one dense attention for each remainder. What lies
/// nearer than the stride, the token itself aside, is a second one. With m_p, n_p the largest logit and the normaliser
/// of the two parts, m = max m_p, n = sum_p n_p exp(m_p - m) and out = sum_p n_p exp(m_p - m)/n out_p. No list of pairs
/// is formed: time O(N (stride + N/stride) (D + D_v)) a head and memory O(N). Preconditions: extents fit. T is float or
/// double.
template <typename T>
Attended<T> strided_attend(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                           const StridedOptions<T>& options);

/// Gradients of sum(out * dout); `bias` is absent.
template <typename T>
AttendGradients<T> strided_attend_backward(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                                           const StridedOptions<T>& options, const Attended<T>& attended,
                                           const Tensor<T>& dout);

}  // namespace attest::attention
