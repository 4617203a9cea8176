// The memory of the attention tiles: sizes, aligned arrays, and how tokens are laid out in lanes.
#pragma once

#include <algorithm>
#include <memory>
#include <new>

#include "kernels/attention/attend_view.hpp"
#include "kernels/attention/tile_operations.hpp"

namespace attest::attention {

/// Queries and keys of one tile. TILE_SIZES
constexpr Index tile_queries = 64, tile_keys = 64;

struct AlignedDelete {
  void operator()(void* memory) const { ::operator delete (memory, std::align_val_t{64}); }
};

template <typename T>
using AlignedArray = std::unique_ptr<T[], AlignedDelete>;

/// Uninitialised memory at the start of a cache line.
template <typename T>
AlignedArray<T> aligned_array(Index entries) {
  return AlignedArray<T>(
      static_cast<T*>(::operator new (static_cast<std::size_t>(entries) * sizeof(T), std::align_val_t{64})));
}

/// Rows first .. first + count - 1 of one head, times `factor`, as to[feature][token]; the `columns` - count last
/// columns become zero.
template <typename T>
void copy_transposed(const HeadsView<const T>& from, Index b, Index h, Index first, Index count, Index features,
                     T factor, Index columns, T* to) {
  for (Index i = 0; i < count; ++i) {
    const T* const row = from.row(b, h, first + i);
    for (Index d = 0; d < features; ++d) to[d * columns + i] = factor * row[d];
  }
  for (Index d = 0; d < features; ++d) std::fill(to + d * columns + count, to + (d + 1) * columns, T(0));
}

/// The same as to[token][feature], rows of `padded(features)` entries, filled up with zeros.
template <typename T>
void copy_rows(const HeadsView<const T>& from, Index b, Index h, Index first, Index count, Index features, T factor,
               T* to) {
  const Index width = padded<T>(features);
  for (Index i = 0; i < count; ++i, to += width) {
    const T* const row = from.row(b, h, first + i);
    for (Index d = 0; d < features; ++d) to[d] = factor * row[d];
    std::fill(to + features, to + width, T(0));
  }
}

/// What runs a problem's tiles.
template <typename T>
const TileOperations<T>& chosen_operations(const AttendProblem<T>& problem) {
  return problem.operations != nullptr ? *problem.operations : *tile_operations<T>().back();
}

}  // namespace attest::attention
