// Attention on memory that somebody else owns: arrays are pointers with strides, so that tensors of other libraries
// are used without copying.
#pragma once

#include <cstdint>

#include "kernels/attention/attend/attend.hpp"
#include "kernels/attention/tensor.hpp"
#include "kernels/attention/visibility.hpp"

namespace attest::attention {

template <typename T>
struct TileOperations;

/// A [B][H][N][features] array: entry (b, h, n, d) is data[b batch + h head + n token + d]. A [B][N][H D] token tensor
/// is one with batch = N H D, head = D, token = H D.
template <typename T>
struct HeadsView {
  T* data = nullptr;
  Index batch = 0, head = 0, token = 0;  ///< strides, in entries

  /// Features of one token.
  ATTEST_HOST_DEVICE T* row(Index b, Index h, Index n) const { return data + b * batch + h * head + n * token; }
  /// The same to read only.
  HeadsView<const T> read_only() const { return {data, batch, head, token}; }
};

/// View of a rank-4 array without gaps.
template <typename T>
HeadsView<const T> heads_view(const Tensor<T>& array) {
  const Index token = array.extent(3), head = array.extent(2) * token;
  return {array.data(), array.extent(1) * head, head, token};
}
template <typename T>
HeadsView<T> heads_view(Tensor<T>& array) {
  const Index token = array.extent(3), head = array.extent(2) * token;
  return {array.data(), array.extent(1) * head, head, token};
}

/// Which keys lie near enough to be seen: those with -after <= i - j <= before, and not key i itself unless `itself`.
struct Band {
  Index before = -1, after = -1;  ///< -1: without end
  bool itself = true;
};

/// |k_j|^2 of key j of head h of sequence b, data[b batch + h head + j token], as squared_key_norms
/// (kernels/attention/attend/block_logits.hpp) has them.
struct KeySquares {
  const float* data = nullptr;
  Index batch = 0, head = 0, token = 1;  ///< strides
};

/// The arguments of attend (kernels/attention/attend/attend.hpp) as pointers; a null pointer is an absent option.
template <typename T>
struct AttendProblem {
  Index batch = 0, heads = 0, queries = 0, keys = 0, dim = 0, value_dim = 0;
  HeadsView<const T> q, k, v;
  T scale = 1;
  MaskPointers mask = {};
  Band band = {};
  const T* slopes = nullptr;      ///< [H]
  const T* dense_bias = nullptr;  ///< [H][N_q][N_k]
  Dropout dropout = {};
  unsigned threads = 0;
  KeySquares key_squares = {};                    ///< where several problems share keys; without data they are computed
  const TileOperations<T>* operations = nullptr;  ///< which instructions; null: the fastest of this machine
};

/// Where the gradients go; every entry is overwritten.
template <typename T>
struct AttendGradientViews {
  HeadsView<T> q, k;  ///< both without data: not wanted, and then the bias's gradient is not either
  HeadsView<T> v;
  T* dense_bias = nullptr;  ///< [H][N_q][N_k]; null: not wanted
};

/// A second use of the same weights, on other values: out = A v and the gradient of the loss by it.
template <typename T>
struct SecondUse {
  HeadsView<const T> v, out, dout;  ///< extents as those of the problem's values and output
};

/// attend on views; `largest` and `normaliser` are [B][H][N_q] without gaps. Preconditions: those that attend checks.
template <typename T>
void attend_view(const AttendProblem<T>& problem, HeadsView<T> out, T* largest, T* normaliser);

/// attend_backward on views. Its memory beyond the arguments is one copy of the gradients of k and v (or up to 16
/// copies of one head's, if there are fewer than 16 heads and sequences) and a constant per thread. With `second`, q, k
/// and the bias get the gradients of both uses of the weights, and v those of the first alone. With `dlse` [B][H][N_q]
/// without gaps, the gradients are those of sum(out * dout) + sum(lse * dlse).
template <typename T>
void attend_backward_view(const AttendProblem<T>& problem, HeadsView<const T> out, const T* largest,
                          const T* normaliser, HeadsView<const T> dout, const AttendGradientViews<T>& gradients,
                          const SecondUse<T>* second = nullptr, const T* dlse = nullptr);

}  // namespace attest::attention
