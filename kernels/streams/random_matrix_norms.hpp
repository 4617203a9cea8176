// Norms of tall random matrices that are never stored.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "kernels/streams/gram_update.hpp"
#include "kernels/streams/noise.hpp"

namespace attest::streams {

/// Norms of a matrix V. The largest singular value, the Frobenius norm and the largest Euclidean norm of a row.
struct MatrixNorms {
  double spectral = 0, frobenius = 0, largest_row = 0;
};

/// Norms of the n x d matrix V_ij = entries.scale X_(16 ceil(d/16) i + j) of sample `sample`.
///
/// Rows are drawn 256 at a time and forgotten; what is kept is V^T V, d x d, added up in blocks of 4096 rows with
/// compensation: O(n d^2) operations and O(d^2) memory, independent of n. The spectral norm is the root of the largest
/// eigenvalue of V^T V, to a relative d 2^-50; the others to 2^-50 sqrt(d). The same bits for any number of threads and
/// instructions, up to the eigenvalue, which Eigen computes. Errors: std::invalid_argument for n outside 1, ..., 2^36,
/// d outside 1, ..., 2048 or a scale that is not finite.
MatrixNorms random_matrix_norms(std::uint64_t n, std::uint64_t d, const Noise& entries, std::uint64_t sample,
                                unsigned threads);

/// The parts of which the norms are made: V^T V by rows (d x d), and the largest squared norm of a row.
struct GramOfRows {
  std::vector<double> gram;
  double largest_row_square = 0;
};
GramOfRows gram_of_random_rows(std::uint64_t n, std::uint64_t d, const Noise& entries, std::uint64_t sample,
                               unsigned threads, GramUpdate update = gram_update());

/// Norms made of those parts.
MatrixNorms norms_of(const GramOfRows& rows);

/// Some blocks of 4096 rows: their Gram matrices, stride x stride each with stride = 16 ceil(d/16), of which only the
/// entries [j][k] with k <= j count, and the largest squared norm of a row of each.
struct RowBlocks {
  std::vector<double> grams, largest_row_squares;
};

/// The parts from blocks made elsewhere, with scales left out: `make(first, blocks)` gives blocks first, ...,
/// first + blocks - 1. Errors: as random_matrix_norms.
GramOfRows gram_by_blocks(std::uint64_t n, std::uint64_t d, const Noise& entries,
                          const std::function<RowBlocks(std::uint64_t first, std::uint64_t blocks)>& make);

/// The same with drawing and products on a CUDA device, with the same bits. Errors: as above, and device::CudaFailure
/// (kernels/device/failure.hpp) where no device can be used.
GramOfRows gram_of_random_rows_on_cuda(std::uint64_t n, std::uint64_t d, const Noise& entries, std::uint64_t sample);

/// What the device computes.
RowBlocks row_blocks_on_cuda(std::uint64_t n, std::uint64_t d, const Noise& entries, std::uint64_t sample,
                             std::uint64_t first_block, std::uint64_t blocks);

}  // namespace attest::streams
