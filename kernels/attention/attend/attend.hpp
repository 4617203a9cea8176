// Scaled dot-product attention, forward and backward, tiled with an online softmax: the primitive of the softmax
// family.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/attention/tensor.hpp"

namespace attest::attention {

/// Which keys a query sees. Conditions combine by "and"; a query that sees no key gets zeros (and zero gradients).
struct Mask {
  bool causal = false;                     ///< query i sees keys 0..i
  std::vector<Index> key_lengths = {};     ///< [B], entry b: keys 0..length-1 of sequence b are real; empty: all are
  std::vector<std::uint8_t> visible = {};  ///< [N_q][N_k], nonzero: visible, for every sequence and head; empty: all
};

/// What is added to the scaled logits.
template <typename T>
struct Bias {
  std::vector<T> slopes = {};  ///< [H]: -slope_h |i - j|, never stored; empty: none
  Tensor<T> dense = {};        ///< [H][N_q][N_k], for every sequence; absent: none
};

/// Dropout on the attention weights A, after the softmax: entry (b, h, i, j) is zero with probability `rate`, otherwise
/// divided by 1 - rate. The pattern is a pure function of (seed, b, h, i, j): kernels/attention/dropout.hpp.
struct Dropout {
  double rate = 0;  ///< in [0, 1)
  std::uint64_t seed = 0;
};

/// Where attention runs. Arrays are the host's either way.
enum class Device { cpu, cuda };

template <typename T>
struct AttendOptions {
  T scale = 1;  ///< factor of q.k, 1/sqrt(D) for softmax attention
  Mask mask = {};
  Bias<T> bias = {};
  Dropout dropout = {};
  unsigned threads = 0;         ///< 0: one a core; results have the same bits for any number
  Device device = Device::cpu;  ///< cuda: attend_cuda, with its errors
};

/// What the forward pass gives and the backward pass needs again.
template <typename T>
struct Attended {
  Tensor<T> out;      ///< [B][H][N_q][D_v]
  Tensor<T> largest;  ///< [B][H][N_q]: max_j logit_ij; -infinity for a row without keys
  /// [B][H][N_q]: sum_j exp(logit_ij - largest_i); 0 for a row without keys. Kept apart from `largest` because their
  /// logarithmic sum, rounded, would lose eight digits of the weights where logits are near 10^4 in float.
  Tensor<T> normaliser;
};

template <typename T>
struct AttendGradients {
  Tensor<T> q, k, v;
  Tensor<T> bias;  ///< of `Bias::dense`; absent when there was none
};

/// out = dropout(softmax(scale q k^T + bias, masked entries -infinity)) v, for q [B][H][N_q][D], k [B][H][N_k][D],
/// v [B][H][N_k][D_v]. Memory beyond inputs and outputs is O(N_q + N_k) a thread; no N_q x N_k array is formed.
/// T is float or double. Errors: std::invalid_argument naming the argument when ranks or extents do not fit, an extent
/// is zero, or an option is out of range.
template <typename T>
Attended<T> attend(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v, const AttendOptions<T>& options);

/// Gradients of sum(out * dout) for dout of the shape of out, `attended` being the forward pass with the same
/// arguments.
template <typename T>
AttendGradients<T> attend_backward(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                                   const AttendOptions<T>& options, const Attended<T>& attended, const Tensor<T>& dout);

}  // namespace attest::attention
