// Gram matrices of tall random matrices: rows are drawn to memory once, and multiplied tile by tile.
#pragma once

#include "kernels/streams/cuda/sweeps.cuh"
#include "kernels/streams/random_matrix_norms.hpp"

// NOLINTBEGIN(bugprone-implicit-widening-of-multiplication-result): places in shared memory have few digits
namespace attest::streams::cuda {

/// Blocks of rows and tiles of their Gram matrices, as row_gram_kernel takes them: 64 x 64 entries per tile on and
/// below the diagonal, 32 of them a thread, from 16 rows at a time.
struct GramTiles {
  static constexpr int side = 64, rows_at_once = 16, block_rows = 4096;
  static constexpr int bytes = 2 * side * rows_at_once * static_cast<int>(sizeof(double));

  std::uint64_t d, stride, across;

  __host__ __device__ explicit GramTiles(std::uint64_t columns)
      : d(columns), stride((columns + wide - 1) / wide * wide), across((stride + side - 1) / side) {}
  /// Thread blocks for one block of rows: its tiles, and one for the norms of its rows.
  __host__ __device__ std::uint64_t a_row_block() const { return across * (across + 1) / 2 + 1; }
  /// Entries of a block of rows in memory.
  __host__ __device__ std::uint64_t entries() const { return block_rows * stride; }
};

/// rows[i * stride + j] of row blocks `first_block`, ...: the draws, and zeros beyond n rows and d columns. Each thread
/// makes pairs; grid: `grid` blocks, any number.
__global__ inline void __launch_bounds__(threads, blocks_at_once)
    row_draws_kernel(std::uint64_t n, GramTiles at, Noise entries, std::uint64_t sample, std::uint64_t first_block,
                     std::uint64_t blocks, std::uint64_t grid, double* rows) {
  const random::StreamName name{entries.seed, entries.key, sample};
  const std::uint64_t first = first_block * at.entries();
  for (std::uint64_t i = 2 * (std::uint64_t{blockIdx.x} * threads + threadIdx.x); i < blocks * at.entries();
       i += 2 * grid * threads) {
    const std::uint64_t column = i % at.stride;
    random::DrawPair<double> z{0, 0};
    if ((first + i) / at.stride < n && column < at.d) z = draw_pair(entries.law, name, first + i);
    rows[i] = z.first;
    rows[i + 1] = column + 1 < at.d ? z.second : 0;
  }
}

/// Two neighbours in memory, read at once.
struct alignas(16) Two {
  double first, second;
};
__device__ inline Two two_at(const double* from) { return *reinterpret_cast<const Two*>(from); }

/// One tile: grams[j * stride + k] = sum_i v_ij v_ik in the order of i.
__device__ inline void gram_tile(const GramTiles& at, const double* rows, std::uint64_t tile, double* gram) {
  ATTEST_SHARED_MEMORY(memory);
  constexpr int side = GramTiles::side, depth = GramTiles::rows_at_once, own_rows = 4, own_columns = 8;
  auto* const left = reinterpret_cast<double*>(memory);  // [row][column], then the same for the other side
  double* const right = left + side * depth;
  std::uint64_t tile_row = 0;
  while ((tile_row + 1) * (tile_row + 2) / 2 <= tile) ++tile_row;
  const std::uint64_t first_j = tile_row * side, first_k = (tile - tile_row * (tile_row + 1) / 2) * side;
  const int thread = static_cast<int>(threadIdx.x);
  // A thread's columns are pairs, 16 columns apart: 8 threads read 16 neighbouring numbers at once, no bank twice.
  constexpr int sharing = side / own_columns;
  const int j = thread / sharing * own_rows, k = thread % sharing * 2;
  double sums[own_rows][own_columns] = {};
  for (int i = 0; i < GramTiles::block_rows; i += depth) {
    __syncthreads();
    ATTEST_UNROLL
    for (int pair = thread; pair < depth * side; pair += threads) {
      const bool second = pair >= depth * side / 2;
      const int place = 2 * (second ? pair - depth * side / 2 : pair);
      const std::uint64_t column = (second ? first_k : first_j) + static_cast<std::uint64_t>(place % side);
      Two z{0, 0};
      if (column < at.stride) z = two_at(rows + static_cast<std::uint64_t>(i + place / side) * at.stride + column);
      double* const to = (second ? right : left) + place;
      to[0] = z.first;
      to[1] = z.second;
    }
    __syncthreads();
    for (int row = 0; row < depth; ++row) {
      Two factors[own_rows / 2], others[own_columns / 2];
      ATTEST_UNROLL
      for (int a = 0; a < own_rows / 2; ++a) factors[a] = two_at(left + row * side + j + 2 * a);
      ATTEST_UNROLL
      for (int b = 0; b < own_columns / 2; ++b) others[b] = two_at(right + row * side + k + 2 * sharing * b);
      ATTEST_UNROLL
      for (int a = 0; a < own_rows; ++a) ATTEST_UNROLL
      for (int b = 0; b < own_columns; ++b)
        sums[a][b] = simd::fused(a % 2 == 0 ? factors[a / 2].first : factors[a / 2].second,
                                 b % 2 == 0 ? others[b / 2].first : others[b / 2].second, sums[a][b]);
    }
  }
  for (int a = 0; a < own_rows; ++a)
    for (int b = 0; b < own_columns; ++b) {
      const std::uint64_t row = first_j + static_cast<std::uint64_t>(j + a);
      const std::uint64_t column = first_k + static_cast<std::uint64_t>(k + b / 2 * 2 * sharing + b % 2);
      if (row < at.stride && column < at.stride) gram[row * at.stride + column] = sums[a][b];
    }
}

/// The largest squared norm of a block's rows; those beyond the matrix are zero.
__device__ inline void largest_row(const GramTiles& at, const double* rows, double* out) {
  ATTEST_SHARED_MEMORY(memory);
  auto* const largest = reinterpret_cast<double*>(memory);
  double own = 0;
  for (int row = static_cast<int>(threadIdx.x); row < GramTiles::block_rows; row += threads) {
    const double* const entries = rows + static_cast<std::uint64_t>(row) * at.stride;
    double square = 0;
    for (std::uint64_t j = 0; j < at.d; j += 2) {
      const Two z = two_at(entries + j);
      square = simd::fused(z.first, z.first, square);
      if (j + 1 < at.d) square = simd::fused(z.second, z.second, square);
    }
    own = simd::larger(own, square);
  }
  largest[threadIdx.x] = own;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int i = 1; i < threads; ++i) own = simd::larger(own, largest[i]);
  *out = own;
}

/// The Gram matrices and largest rows of blocks of 4096 rows that row_draws_kernel has drawn.
__global__ inline void __launch_bounds__(threads)
    row_gram_kernel(GramTiles at, const double* rows, double* grams, double* largest_row_squares) {
  const std::uint64_t number = blockIdx.x / at.a_row_block(), task = blockIdx.x % at.a_row_block();
  const double* const own = rows + number * at.entries();
  if (task + 1 == at.a_row_block())
    largest_row(at, own, largest_row_squares + number);
  else
    gram_tile(at, own, task, grams + number * at.stride * at.stride);
}

}  // namespace attest::streams::cuda
// NOLINTEND(bugprone-implicit-widening-of-multiplication-result)
