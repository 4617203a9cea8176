// The memory of the attention tiles: sizes, arrays that a thread keeps, and how tokens are laid out.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <new>

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

/// What a thread's array is for. A task on short sequences takes microseconds, too few to ask for fresh memory.
enum class Scratch {
  query_lanes,
  wide_query_lanes,
  wide_keys,
  wide_logits,
  tile,
  tile_gradients,
  factors,
  row_numbers,
  wide_row_numbers,
  sums,
  query_rows,
  gradient_rows,
  value_rows,
  key_rows,
  gradient_lanes,
  second_gradient_lanes,
  output_lanes,
  count
};

/// This thread's array for `use`, of at least `entries` of T, uninitialised, at the start of a cache line; the next
/// call for the same use takes it back. It is as long as the longest asked for and is freed with the thread.
template <typename T>
T* scratch(Scratch use, Index entries) {
  struct Kept {
    AlignedArray<std::byte> memory;
    Index bytes = 0;
  };
  thread_local std::array<Kept, static_cast<std::size_t>(Scratch::count)> all;
  Kept& kept = all[static_cast<std::size_t>(use)];
  const Index bytes = entries * static_cast<Index>(sizeof(T));
  if (kept.bytes < bytes) {
    kept.memory.reset();
    kept.memory = aligned_array<std::byte>(bytes);
    kept.bytes = bytes;
  }
  return reinterpret_cast<T*>(kept.memory.get());
}

/// Rows of entries: where they lie and how far apart they are.
template <typename T>
struct Rows {
  const T* data = nullptr;
  Index row = 0;
};

/// Rows first .. first + count - 1 of one head, times `factor`, with padded(features) entries each, the last ones zero:
/// in place where that is what they are, else copied to this thread's array for `use`.
template <typename T>
Rows<T> padded_rows(const HeadsView<const T>& from, Index b, Index h, Index first, Index count, Index features,
                    T factor, Scratch use) {
  const Index width = padded<T>(features);
  if (width == features && factor == T(1)) return {from.row(b, h, first), from.token};
  T* const memory = scratch<T>(use, count * width);
  for (Index i = 0; i < count; ++i) {
    const T* const row = from.row(b, h, first + i);
    T* const to = memory + i * width;
    for (Index d = 0; d < features; ++d) to[d] = factor * row[d];
    std::fill(to + features, to + width, T(0));
  }
  return {memory, width};
}

/// Whether a head is one tile. Then each fetches the next head's entries ahead, for the thread that takes both.
template <typename T>
bool heads_are_tiles(const AttendProblem<T>& p) {
  return p.queries <= tile_queries && p.keys <= tile_keys;
}

/// Where heads are tiles, the head that is next after head h of sequence b: its rows of `x`, from memory that
/// nobody has read yet. Nothing elsewhere: longer ones read a head again and again.
template <typename T, typename Entry>
Ahead next_head(const AttendProblem<T>& p, Index b, Index h, const HeadsView<Entry>& x, Index rows, Index features) {
  const Index next = b * p.heads + h + 1;
  if (!heads_are_tiles(p) || next >= p.batch * p.heads || x.data == nullptr) return {};
  constexpr auto bytes = static_cast<Index>(sizeof(T));
  return {x.row(next / p.heads, next % p.heads, 0), rows, features * bytes, x.token * bytes};
}

/// The keys' rows of `x` that are next after those from `first_key`: the next head's, or, where a head's keys and
/// values are too many for the second cache, the next tile's, and after the last the first again.
template <typename T, typename Entry>
Ahead next_keys(const AttendProblem<T>& p, Index b, Index h, Index first_key, const HeadsView<Entry>& x,
                Index features) {
  constexpr auto bytes = static_cast<Index>(sizeof(T));
  constexpr Index kept = Index{1} << 20;
  if (p.keys <= tile_keys) return next_head(p, b, h, x, p.keys, features);
  if (p.keys * (p.dim + p.value_dim) * bytes <= kept || x.data == nullptr) return {};
  const Index next = first_key + tile_keys < p.keys ? first_key + tile_keys : 0;
  return {x.row(b, h, next), std::min(tile_keys, p.keys - next), features * bytes, x.token * bytes};
}

/// What runs a problem's tiles.
template <typename T>
const TileOperations<T>& chosen_operations(const AttendProblem<T>& problem) {
  return problem.operations != nullptr ? *problem.operations : *tile_operations<T>().back();
}

/// Rows first .. first + count - 1 of one head, times `factor`, as to[feature][token] with `columns` tokens, the last
/// ones zero.
template <typename T>
void transposed_rows(const AttendProblem<T>& p, const HeadsView<const T>& from, Index b, Index h, Index first,
                     Index count, Index features, T factor, Index columns, T* to) {
  chosen_operations(p).transpose(from.row(b, h, first), from.token, count, features, factor, to, columns);
  if (count < columns)
    for (Index d = 0; d < features; ++d) std::fill(to + d * columns + count, to + (d + 1) * columns, T(0));
}

}  // namespace attest::attention
