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

/// Rows of memory that are needed soon.
struct Ahead {
  const void* first = nullptr;  ///< null: nothing
  Index rows = 0, row_bytes = 0, stride_bytes = 0;
};

/// C = factor_i C + A B, with A [rows][inner], B [inner][columns], C [rows][columns].
template <typename T>
struct TileProduct {
  Index rows = 0, columns = 0, inner = 0;
  const T* a = nullptr;
  Index a_row = 0, a_inner = 0;  ///< strides of A; at least one of them is 1
  const T* b = nullptr;
  Index b_row = 0;
  T* c = nullptr;
  Index c_row = 0;
  /// What becomes of C: nothing (overwritten), kept, or multiplied by `factors`, one per row.
  enum class Keep { nothing, all, scaled } keep = Keep::nothing;
  const T* factors = nullptr;
  Ahead ahead[2] = {};  ///< brought nearer while the product is formed
};

/// Each operation rounds entry by entry in a fixed order, with fused multiply-adds. Logits are of type T, or, where T
/// is float and they may be large, in double ("wide"): the weights of float logits near 10^4 would be right to three
/// digits only (kernels/attention/attend/block_logits.hpp chooses).
template <typename T>
struct TileOperations {
  const char* name;

  void (*product)(const TileProduct<T>&);
  void (*wide_product)(const TileProduct<double>&);

  /// to[feature][row] = factor from[row][feature], the rows of `from` being `from_row` entries apart and those of `to`
  /// `to_row`.
  void (*transpose)(const T* from, Index from_row, Index rows, Index features, T factor, T* to, Index to_row);

  /// One step of the online softmax. In: `tile` [keys][queries] of logits, and the `largest` and `normaliser` of the
  /// keys before. Out: the same including these keys; in `tile` weights = exp(logit - largest); `correction` [queries],
  /// what earlier sums must be multiplied with. While all logits of a query are -infinity, its weights are 0.
  void (*softmax_step)(T* tile, Index keys, Index queries, T* largest, T* normaliser, T* correction);
  /// The same from wide logits; equal bits where these and `largest` are numbers of type T. Absent where T is double.
  void (*wide_softmax_step)(const double* logits, T* weights, Index keys, Index queries, double* largest, T* normaliser,
                            T* correction);

  /// x -> max(x, 0) + exp(min(x, 0)) in place, the features of linear attention; `count` is a multiple of the padding.
  void (*features)(T* x, Index count);

  /// Backward, in place of the logits: weights = exp(logits - largest) / normaliser, and dlogits = weights (dweights -
  /// mean) in place of dweights, unless that is null. `largest` is finite.
  void (*logit_gradients)(T* tile, T* dweights, Index keys, Index queries, const T* largest,
                          const T* inverse_normaliser, const T* mean);
  /// The same from wide logits. Absent where T is double.
  void (*wide_logit_gradients)(const double* logits, T* weights, T* dweights, Index keys, Index queries,
                               const double* largest, const T* inverse_normaliser, const T* mean);
};

/// The sets of instructions that this build has and this machine can run, the fastest last.
template <typename T>
std::span<const TileOperations<T>* const> tile_operations();

}  // namespace attest::attention
