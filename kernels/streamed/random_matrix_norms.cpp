#include "kernels/streamed/random_matrix_norms.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <Eigen/Core>
#include <fmt/format.h>

#include "kernels/parallel/fold_blocks.hpp"
#include "kernels/spectra/symmetric_spectrum.hpp"
#include "kernels/streamed/operations.hpp"

namespace attest::streamed {
namespace {

constexpr std::uint64_t panel_rows = 256, block_rows = 4096;
constexpr std::int64_t kept_blocks = 16;

struct Block {
  std::vector<double> gram;  // stride x stride, scales left out
  double largest_row_square = 0;
};

/// A row takes whole groups of draws, which registers then read without remainder.
std::uint64_t stride_of(std::uint64_t d) {
  constexpr std::uint64_t group = draw_group<double>;
  return (d + group - 1) / group * group;
}

Block block_gram(std::uint64_t n, std::uint64_t d, const Noise& entries, std::uint64_t sample, std::uint64_t block,
                 GramUpdate update) {
  const std::uint64_t stride = stride_of(d);
  Block result;
  result.gram.assign(stride * stride, 0.0);
  std::vector<double> rows(panel_rows * stride);
  const std::uint64_t end = std::min(n, (block + 1) * block_rows);
  for (std::uint64_t first = block * block_rows; first < end; first += panel_rows) {
    const std::uint64_t count = std::min(panel_rows, end - first);
    operations<double>().back()->draw(entries.law, {entries.seed, entries.claim, sample}, first * stride, rows.data(),
                                      count * stride);
    for (std::uint64_t i = 0; i < count; ++i) {
      double* row = rows.data() + i * stride;
      std::fill(row + d, row + stride, 0.0);
      double square = 0;
      for (std::uint64_t j = 0; j < d; ++j) square = std::fma(row[j], row[j], square);
      result.largest_row_square = std::max(result.largest_row_square, square);
    }
    update(rows.data(), count, stride, result.gram.data());
  }
  return result;
}

void check(std::uint64_t n, std::uint64_t d, const Noise& entries) {
  if (n == 0 || n > std::uint64_t{1} << 36 || d == 0 || d > 2048)
    throw std::invalid_argument(
        fmt::format("random_matrix_norms: a {} x {} matrix; give 1 to 2^36 rows and 1 to 2048 columns", n, d));
  if (!std::isfinite(entries.scale))
    throw std::invalid_argument(fmt::format("random_matrix_norms: the scale is {}, give a finite one", entries.scale));
}

}  // namespace

GramOfRows gram_of_random_rows(std::uint64_t n, std::uint64_t d, const Noise& entries, std::uint64_t sample,
                               unsigned threads, GramUpdate update) {
  check(n, d, entries);
  const std::uint64_t stride = stride_of(d);
  std::vector<double> sum(stride * stride, 0.0), correction(stride * stride, 0.0);
  GramOfRows result;
  parallel::fold_blocks<Block>(
      static_cast<std::int64_t>((n + block_rows - 1) / block_rows), threads, kept_blocks,
      [&](std::int64_t block) { return block_gram(n, d, entries, sample, static_cast<std::uint64_t>(block), update); },
      [&](const Block& block) {
        // Neumaier's sum, entry by entry.
        for (std::size_t i = 0; i < sum.size(); ++i) {
          const double term = block.gram[i], total = sum[i] + term;
          correction[i] += std::fabs(sum[i]) >= std::fabs(term) ? (sum[i] - total) + term : (term - total) + sum[i];
          sum[i] = total;
        }
        result.largest_row_square = std::max(result.largest_row_square, block.largest_row_square);
      });
  const double square = entries.scale * entries.scale;
  result.largest_row_square *= square;
  result.gram.resize(d * d);
  for (std::uint64_t j = 0; j < d; ++j)
    for (std::uint64_t k = 0; k <= j; ++k)
      result.gram[j * d + k] = result.gram[k * d + j] = square * (sum[j * stride + k] + correction[j * stride + k]);
  return result;
}

MatrixNorms random_matrix_norms(std::uint64_t n, std::uint64_t d, const Noise& entries, std::uint64_t sample,
                                unsigned threads) {
  const GramOfRows rows = gram_of_random_rows(n, d, entries, sample, threads);
  const auto size = static_cast<Eigen::Index>(d);
  const Eigen::MatrixXd gram = Eigen::Map<const Eigen::MatrixXd>(rows.gram.data(), size, size);
  const double largest = gram.trace() > 0 ? spectra::symmetric_eigenvalues(gram).front() : 0;
  return {std::sqrt(std::max(largest, 0.0)), std::sqrt(gram.trace()), std::sqrt(rows.largest_row_square)};
}

}  // namespace attest::streamed
