// The update of a Gram matrix for lanes of any width; included only by the files that compile it for one set of
// instructions.
#pragma once

#include <algorithm>

#include "kernels/simd/lanes.hpp"
#include "kernels/streams/gram_update.hpp"

namespace attest::streams {

template <int bytes>
struct GramLanes {
  using V = simd::Lanes<double, bytes>;
  // At least eight chains, which hide the latency of a multiply-add in both units, and as many as the registers hold
  // with their operands: the more there are, the less often a row is fetched from the second cache.
  static constexpr std::size_t rows_of_tile = bytes == 64 ? 8 : 4, columns_of_tile = 2 * V::count;

  static void tile(const double* rows, std::size_t count, std::size_t stride, std::size_t j, std::size_t k,
                   double* gram) {
    // Written out, every loop over the sums: they stay in registers.
    V sums[rows_of_tile][2];
#pragma GCC unroll 8
    for (std::size_t a = 0; a < rows_of_tile; ++a)
#pragma GCC unroll 2
      for (std::size_t b = 0; b < 2; ++b) sums[a][b] = V::load(gram + (j + a) * stride + k + b * V::count);
    for (std::size_t i = 0; i < count; ++i) {
      const double* row = rows + i * stride;
      const V first = V::load(row + k), second = V::load(row + k + V::count);
#pragma GCC unroll 8
      for (std::size_t a = 0; a < rows_of_tile; ++a) {
        const V left(row[j + a]);
        sums[a][0] = fused(left, first, sums[a][0]);
        sums[a][1] = fused(left, second, sums[a][1]);
      }
    }
#pragma GCC unroll 8
    for (std::size_t a = 0; a < rows_of_tile; ++a)
#pragma GCC unroll 2
      for (std::size_t b = 0; b < 2; ++b) sums[a][b].store(gram + (j + a) * stride + k + b * V::count);
  }

  static void update(const double* rows, std::size_t count, std::size_t stride, double* gram) {
    for (std::size_t j = 0; j < stride; j += rows_of_tile)
      for (std::size_t k = 0; k < j + rows_of_tile; k += columns_of_tile) tile(rows, count, stride, j, k, gram);
  }
};

}  // namespace attest::streams
