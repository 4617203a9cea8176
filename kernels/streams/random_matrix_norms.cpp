#include "kernels/streams/random_matrix_norms.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include <Eigen/Core>
#include <fmt/format.h>

#include "kernels/parallel/fold_blocks.hpp"
#include "kernels/spectra/symmetric_spectrum.hpp"
#include "kernels/streams/operations.hpp"

namespace attest::streams {
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

/// The largest squared norm of a row, each by one chain of multiply-adds; several rows at once hide its latency.
double largest_square(const double* rows, std::uint64_t count, std::uint64_t d, std::uint64_t stride) {
  constexpr std::uint64_t at_once = 8;
  double largest = 0;
  for (std::uint64_t first = 0; first < count; first += at_once) {
    const std::uint64_t last = std::min(first + at_once, count) - 1;
    std::array<double, at_once> squares{};
    for (std::uint64_t j = 0; j < d; ++j)
      for (std::uint64_t r = 0; r < at_once; ++r) {
        const double x = rows[std::min(first + r, last) * stride + j];
        squares[r] = std::fma(x, x, squares[r]);
      }
    for (const double square : squares) largest = std::max(largest, square);
  }
  return largest;
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
    operations<double>().back()->draw(entries.law, {entries.seed, entries.key, sample}, first * stride, rows.data(),
                                      count * stride);
    for (std::uint64_t i = 0; i < count; ++i)
      std::fill(rows.begin() + static_cast<std::ptrdiff_t>(i * stride + d),
                rows.begin() + static_cast<std::ptrdiff_t>((i + 1) * stride), 0.0);
    result.largest_row_square = std::max(result.largest_row_square, largest_square(rows.data(), count, d, stride));
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

/// Blocks added up in order, entry by entry as by statistics::CompensatedSum.
class Total {
 public:
  explicit Total(std::uint64_t d) : d_(d), stride_(stride_of(d)), sum_(stride_ * stride_), correction_(sum_.size()) {}

  void add(const double* gram, double largest_row_square) {
    for (std::size_t i = 0; i < sum_.size(); ++i) {
      const double term = gram[i], total = sum_[i] + term;
      correction_[i] += std::fabs(sum_[i]) >= std::fabs(term) ? (sum_[i] - total) + term : (term - total) + sum_[i];
      sum_[i] = total;
    }
    largest_row_square_ = std::max(largest_row_square_, largest_row_square);
  }

  GramOfRows scaled(double scale) const {
    GramOfRows result{std::vector<double>(d_ * d_), scale * scale * largest_row_square_};
    for (std::uint64_t j = 0; j < d_; ++j)
      for (std::uint64_t k = 0; k <= j; ++k)
        result.gram[j * d_ + k] = result.gram[k * d_ + j] =
            scale * scale * (sum_[j * stride_ + k] + correction_[j * stride_ + k]);
    return result;
  }

 private:
  std::uint64_t d_, stride_;
  std::vector<double> sum_, correction_;
  double largest_row_square_ = 0;
};

}  // namespace

GramOfRows gram_of_random_rows(std::uint64_t n, std::uint64_t d, const Noise& entries, std::uint64_t sample,
                               unsigned threads, GramUpdate update) {
  check(n, d, entries);
  Total total(d);
  parallel::fold_blocks<Block>(
      static_cast<std::int64_t>((n + block_rows - 1) / block_rows), threads, kept_blocks,
      [&](std::int64_t block) { return block_gram(n, d, entries, sample, static_cast<std::uint64_t>(block), update); },
      [&](const Block& block) { total.add(block.gram.data(), block.largest_row_square); });
  return total.scaled(entries.scale);
}

GramOfRows gram_by_blocks(std::uint64_t n, std::uint64_t d, const Noise& entries,
                          const std::function<RowBlocks(std::uint64_t first, std::uint64_t blocks)>& make) {
  check(n, d, entries);
  constexpr std::uint64_t at_once = 32;
  const std::uint64_t blocks = (n + block_rows - 1) / block_rows, size = stride_of(d) * stride_of(d);
  Total total(d);
  for (std::uint64_t first = 0; first < blocks; first += at_once) {
    const RowBlocks made = make(first, std::min(at_once, blocks - first));
    for (std::size_t i = 0; i < made.largest_row_squares.size(); ++i)
      total.add(made.grams.data() + i * size, made.largest_row_squares[i]);
  }
  return total.scaled(entries.scale);
}

GramOfRows gram_of_random_rows_on_cuda(std::uint64_t n, std::uint64_t d, const Noise& entries, std::uint64_t sample) {
  return gram_by_blocks(n, d, entries, [&](std::uint64_t first, std::uint64_t blocks) {
    return row_blocks_on_cuda(n, d, entries, sample, first, blocks);
  });
}

MatrixNorms norms_of(const GramOfRows& rows) {
  const auto size = static_cast<Eigen::Index>(std::llround(std::sqrt(static_cast<double>(rows.gram.size()))));
  const Eigen::MatrixXd gram = Eigen::Map<const Eigen::MatrixXd>(rows.gram.data(), size, size);
  const double largest = gram.trace() > 0 ? spectra::symmetric_eigenvalues(gram).front() : 0;
  return {std::sqrt(std::max(largest, 0.0)), std::sqrt(gram.trace()), std::sqrt(rows.largest_row_square)};
}

MatrixNorms random_matrix_norms(std::uint64_t n, std::uint64_t d, const Noise& entries, std::uint64_t sample,
                                unsigned threads) {
  return norms_of(gram_of_random_rows(n, d, entries, sample, threads));
}

}  // namespace attest::streams
