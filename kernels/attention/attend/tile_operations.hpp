// What is done to one tile of the attention matrix, once for each set of SIMD instructions.
//
// A tile holds the logits of `keys` keys (rows) by `queries` queries (columns): the queries lie in the lanes, so that
// maxima and sums over keys never mix lanes, keys and values are read in place, and the bits do not depend on the width
// of the instructions.
#pragma once

#include <span>

#include "kernels/attention/tensor.hpp"

namespace attest::attention {

/// Columns of every tile are a multiple of this: one cache line, the widest register.
template <typename T>
constexpr Index tile_padding = 64 / static_cast<Index>(sizeof(T));

/// The least multiple of `tile_padding` that is not below n.
template <typename T>
constexpr Index padded(Index n) {
  return (n + tile_padding<T> - 1) / tile_padding<T> * tile_padding<T>;
}

/// C = factor_j C + A B, with A [rows][inner], B [inner][columns], C [rows][columns].
template <typename T>
struct TileProduct {
  Index rows = 0, columns = 0, inner = 0;
  const T* a = nullptr;
  Index a_row = 0, a_inner = 0;  ///< strides of A; at least one of them is 1
  const T* b = nullptr;
  Index b_row = 0;
  T* c = nullptr;
  Index c_row = 0;
  /// What becomes of C: nothing (overwritten), kept, or multiplied by `factors`, one a column.
  enum class Keep { nothing, all, scaled } keep = Keep::nothing;
  const T* factors = nullptr;
};

/// Each operation rounds entry by entry in a fixed order, with fused multiply-adds. Logits are in double whatever T is:
/// the weights of float logits near 10^4 would be right to three digits only.
template <typename T>
struct TileOperations {
  const char* name;

  void (*product)(const TileProduct<T>&);
  void (*logit_product)(const TileProduct<double>&);

  /// One step of the online softmax. In: logits [keys][queries], and the `largest` and `normaliser` of the keys before.
  /// Out: the same including these keys; weights = exp(logit - largest); `correction` [queries], what earlier sums must
  /// be multiplied with. While all logits of a query are -infinity, its weights are 0.
  void (*softmax_step)(const double* logits, T* weights, Index keys, Index queries, double* largest, T* normaliser,
                       T* correction);

  /// Backward: weights = exp(logits - largest) / normaliser, and dlogits = weights (dweights - mean) in place of
  /// dweights, unless that is null. `largest` is finite.
  void (*logit_gradients)(const double* logits, T* weights, T* dweights, Index keys, Index queries,
                          const double* largest, const T* inverse_normaliser, const T* mean);
};

/// The sets of instructions that this build has and this machine can run, the fastest last.
template <typename T>
std::span<const TileOperations<T>* const> tile_operations();

}  // namespace attest::attention
