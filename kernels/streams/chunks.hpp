// How the streamed kernels cut long vectors, and how the columns of a chunk become one number.
#pragma once

#include <array>
#include <cstdint>

#include "kernels/streams/operations.hpp"

namespace attest::streams {

/// Elements of a chunk, which stays in the nearest cache, and of a block, which is one thread's work: sums of chunks
/// and blocks are made in order, so they belong to the definition of the bits.
inline constexpr std::uint64_t chunk_elements = 1 << 11, block_elements = 1 << 14;

/// The columns of one row by a tree.
template <typename T>
double column_sum(const T* row) {
  std::array<double, static_cast<std::size_t>(columns<T>)> values;
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(row[i]);
  for (std::size_t half = values.size() / 2; half > 0; half /= 2)
    for (std::size_t i = 0; i < half; ++i) values[i] += values[i + half];
  return values[0];
}

}  // namespace attest::streams
