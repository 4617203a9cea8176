// Softmax attention over given pairs of queries and keys, in time and memory linear in their number.
#pragma once

#include <vector>

#include "kernels/attention/attend/attend.hpp"
#include "kernels/attention/sparse/sparse_pattern.hpp"

namespace attest::attention {

template <typename T>
struct SparseOptions {
  T scale = 1;
  std::vector<Index> key_lengths = {};  ///< [B]: keys 0..length-1 are real; empty: all are
  Dropout dropout = {};                 ///< the pattern of `attend`
  unsigned threads = 0;                 ///< 0: one per core; results have the same bits for any number
};

template <typename T>
struct SparseAttended {
  Tensor<T> out;              ///< [B][H][N_q][D_v]
  Tensor<double> normaliser;  ///< [B][H][N_q]: log sum_j exp(logit_ij); -infinity for a row without keys
};

/// `attend` with the pairs of the pattern visible and no others, the same for every head; one pattern for all sequences
/// or one per sequence: O(pairs (D + D_v)) time and O(N) memory per head beyond inputs, pattern and output. Sums are in
/// double. Preconditions: extents fit, the pattern has N_q rows and columns below N_k. T is float or double.
template <typename T>
SparseAttended<T> sparse_attend(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                                const std::vector<SparsePattern>& patterns, const SparseOptions<T>& options);

/// Gradients of sum(out * dout); `bias` is absent.
template <typename T>
AttendGradients<T> sparse_attend_backward(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                                          const std::vector<SparsePattern>& patterns, const SparseOptions<T>& options,
                                          const SparseAttended<T>& attended, const Tensor<T>& dout);

}  // namespace attest::attention
