// Scaled dot-product attention, forward and backward, tiled with an online softmax: the primitive of the softmax
// family.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/attention/tensor.hpp"

namespace attest::attention {

/// Which key lies on the diagonal of query i, where causal masks end, windows are centred and slopes start from.
enum class Alignment {
  top_left,     ///< key i: query 0 meets key 0. The same as bottom_right where N_q = N_k
  bottom_right  ///< key i + N_k - N_q: the last query meets the last key, as in decoding with a cache
};

/// Which keys a query sees. Conditions combine by "and"; a query that sees no key gets zeros (and zero gradients)
/// unless `EmptyRows` says otherwise.
struct Mask {
  bool causal = false;                        ///< query i sees keys up to its diagonal key, key i by default
  std::vector<Index> key_lengths = {};        ///< [B], entry b: keys 0..length-1 of sequence b are real; empty: all are
  std::vector<std::uint8_t> visible = {};     ///< [N_q][N_k], nonzero: visible, for every sequence and head; empty: all
  Index visible_sequences = 1;                ///< `visible` may be [B or 1][H or 1][N_q][N_k]: its first extent
  Index visible_heads = 1;                    ///< and its second
  Alignment alignment = Alignment::top_left;  ///< N_q and N_k are the arrays' extents, or a packed sequence's
  Index window_left = -1;                     ///< keys before the diagonal that are seen; -1: all
  Index window_right = -1;                    ///< keys after the diagonal that are seen; -1: all
  /// Several sequences packed one after the other into the token axes, in every sequence of the batch: packed sequence
  /// s has queries query_starts[s] .. query_starts[s+1] - 1 and keys likewise, and sees itself alone. From 0, not
  /// decreasing, to N_q and N_k, of the same length; both empty: one sequence.
  std::vector<Index> query_starts = {}, key_starts = {};
};

/// What is added to the scaled logits.
template <typename T>
struct Bias {
  std::vector<T> slopes = {};  ///< [H]: -slope_h |diagonal key of i - j|, |i - j| by default; never stored; empty: none
  /// [H][N_q][N_k] or [B or 1][H or 1][N_q][N_k]; -infinity hides the key from the query; absent: none
  Tensor<T> dense = {};
};

/// The output of a query that sees no key and has no sink. Its lse is -infinity and its logits have no gradient,
/// whatever the convention.
enum class EmptyRows {
  zero,  ///< zeros
  nan,   ///< NaN, as a softmax of -infinity alone; no gradient at all
  mean   ///< the mean over all N_k values, as masks of a large negative number give
};

/// Dropout on the attention weights A, after the softmax: entry (b, h, i, j) is zero with probability `rate`, otherwise
/// divided by 1 - rate. The pattern is a pure function of (seed, b, h, i, j): kernels/attention/attend/dropout.hpp.
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
  unsigned threads = 0;           ///< 0: one per core; results have the same bits for any number
  Device device = Device::cpu;    ///< cuda: attend_cuda, with its errors
  double softcap = 0;             ///< c > 0: scaled logits x become c tanh(x / c) before biases and masks; 0: none
  std::vector<T> sinks = {};      ///< [H]: a logit that takes part in the softmax of every row and has no value
  Tensor<T> weight_factors = {};  ///< [B][H][N_q][N_k]: multiplies A after the softmax (dropout by a given mask)
  EmptyRows empty_rows = EmptyRows::zero;
  bool learns_slopes = false;  ///< AttendGradients::slopes is wanted
};

/// What the forward pass gives and the backward pass needs again.
template <typename T>
struct Attended {
  Tensor<T> out;      ///< [B][H][N_q][D_v]
  Tensor<T> largest;  ///< [B][H][N_q]: max_j logit_ij, sinks included; -infinity for a row without keys or sink
  /// [B][H][N_q]: sum_j exp(logit_ij - largest_i), sinks included; 0 for a row without keys or sink. Kept apart from
  /// `largest` because their logarithmic sum, rounded, would lose eight digits of the weights where logits are near
  /// 10^4 in float.
  Tensor<T> normaliser;
};

template <typename T>
struct AttendGradients {
  Tensor<T> q, k, v;
  Tensor<T> bias;  ///< of `Bias::dense`; absent when there was none
  /// [H] and [H], of `Bias::slopes` and `AttendOptions::sinks`, and of `AttendOptions::weight_factors`; given by the
  /// general path alone (runs_in_tiles), absent otherwise.
  Tensor<T> slopes = {}, sinks = {}, weight_factors = {};
};

/// out = dropout(softmax(scale q k^T + bias, masked entries -infinity)) v, for q [B][H][N_q][D], k [B][H_kv][N_k][D],
/// v [B][H_kv][N_k][D_v], where H_kv divides H: head h reads keys and values of head h / (H / H_kv) (grouped-query
/// attention; multi-query for H_kv = 1). Memory beyond inputs and outputs is O(N_q + N_k) per thread; no N_q x N_k
/// array is formed. T is float or double. What the tiles do not know takes a general path, row by row
/// (kernels/attention/attend/attend_rows.hpp), slower and in double. Errors: std::invalid_argument naming the argument
/// when ranks or extents do not fit, an extent is zero, an option is out of range, or the device is cuda and the
/// general path is needed.
template <typename T>
Attended<T> attend(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v, const AttendOptions<T>& options);

/// lse_i = log sum_j exp(logit_ij), sinks included, [B][H][N_q]; -infinity for a row without keys or sink.
template <typename T>
Tensor<T> log_sum_exp(const Attended<T>& attended);

/// Gradients of sum(out * dout), and of sum(out * dout) + sum(lse * dlse) where `dlse` [B][H][N_q] is given, for dout
/// of the shape of out, `attended` being the forward pass with the same arguments. Rows without keys have no gradient
/// by their lse. Errors: as attend; also for dlse on cuda.
template <typename T>
AttendGradients<T> attend_backward(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                                   const AttendOptions<T>& options, const Attended<T>& attended, const Tensor<T>& dout,
                                   const Tensor<T>* dlse = nullptr);

}  // namespace attest::attention
