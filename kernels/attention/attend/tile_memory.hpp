// The memory of the attention tiles: sizes, aligned arrays, and how tokens are laid out in lanes.
#pragma once

#include <algorithm>
#include <memory>
#include <new>
#include <type_traits>

#include "kernels/attention/attend/attend_view.hpp"
#include "kernels/attention/attend/tile_operations.hpp"

namespace attest::attention {

/// Queries and keys of one tile: its logits and weights stay in the nearest caches, and 32 keys were no faster.
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
/// columns become zero. To may be wider than T: then nothing is rounded before the multiplication.
template <typename T, typename To>
void copy_transposed(const HeadsView<const T>& from, Index b, Index h, Index first, Index count, Index features,
                     To factor, Index columns, To* to) {
  for (Index i = 0; i < count; ++i) {
    const T* const row = from.row(b, h, first + i);
    for (Index d = 0; d < features; ++d) to[d * columns + i] = factor * static_cast<To>(row[d]);
  }
  for (Index d = 0; d < features; ++d) std::fill(to + d * columns + count, to + (d + 1) * columns, To(0));
}

/// Rows of one head in double: where they lie and how far apart.
struct WideRows {
  const double* data;
  Index row;
};

/// Rows first .. first + count - 1 of one head in double: in place, or copied to `memory` [count][features] from float.
template <typename T>
WideRows wide_rows(const HeadsView<const T>& from, Index b, Index h, Index first, Index count, Index features,
                   double* memory) {
  if constexpr (std::is_same_v<T, double>) {
    return {from.row(b, h, first), from.token};
  } else {
    for (Index i = 0; i < count; ++i) {
      const T* const row = from.row(b, h, first + i);
      for (Index d = 0; d < features; ++d) memory[i * features + d] = static_cast<double>(row[d]);
    }
    return {memory, features};
  }
}

/// Rows times `factor` as to[token][feature], rows of `padded(features)` entries, filled up with zeros.
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
