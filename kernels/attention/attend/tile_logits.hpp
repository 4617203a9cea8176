// Masks, biases and dropout on one tile of the attention matrix.
#pragma once

#include "kernels/attention/attend/attend_view.hpp"

namespace attest::attention {

/// Where a tile lies: queries first_query .. first_query + queries - 1 of sequence b and head h by keys likewise; rows
/// of memory (one per key) are `row` entries long.
struct TilePlace {
  Index b = 0, h = 0;
  Index first_query = 0, queries = 0, first_key = 0, keys = 0;
  Index row = 0;
};

/// Adds the biases to the scaled products.
template <typename T>
void add_biases(const AttendProblem<T>& problem, const TilePlace& tile, double* logits);

/// Sets what is masked to minus infinity. Keys at or beyond keys_end are not looked at. Logit is T or double.
template <typename T, typename Logit>
void hide_masked(const AttendProblem<T>& problem, const TilePlace& tile, Logit* logits);

/// 0 where dropout drops a weight and 1/(1 - rate) elsewhere. Precondition: tile.first_key is a multiple of 4.
template <typename T>
void dropout_factors(const AttendProblem<T>& problem, const TilePlace& tile, T* factors);

/// a *= b for whole tiles.
template <typename T>
void multiply_entries(const TilePlace& tile, T* a, const T* b);

}  // namespace attest::attention
