#include "kernels/attention/sparse/sparse_pattern.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include <fmt/format.h>

namespace attest::attention {
namespace {

void end_row(SparsePattern& pattern) { pattern.starts.push_back(pattern.pairs()); }

/// Rows [first, last) of keys and single keys, sorted and made unique, cut off after i when causal. They come in two
/// ascending runs, the keys near the query and those of every row, which are merged.
class Row {
 public:
  Row(Index i, Index keys, bool causal) : end_(causal ? std::min(keys, i + 1) : keys) {}
  void range(Index first, Index last) {
    for (Index j = std::max<Index>(first, 0); j < std::min(last, end_); ++j) columns_.push_back(j);
  }
  Index end() const { return end_; }
  void append_to(SparsePattern& pattern) {
    std::inplace_merge(columns_.begin(), std::is_sorted_until(columns_.begin(), columns_.end()), columns_.end());
    columns_.erase(std::unique(columns_.begin(), columns_.end()), columns_.end());
    pattern.columns.insert(pattern.columns.end(), columns_.begin(), columns_.end());
    end_row(pattern);
  }

 private:
  Index end_;
  std::vector<Index> columns_;
};

}  // namespace

SparsePattern strided_pattern(Index queries, Index keys, Index stride, bool causal) {
  if (stride < 1) throw std::invalid_argument(fmt::format("strided_pattern: stride {} is below 1", stride));
  SparsePattern pattern;
  for (Index i = 0; i < queries; ++i) {
    Row row(i, keys, causal);
    row.range(i - stride, i + stride + 1);
    for (Index j = i % stride; j < row.end(); j += stride) row.range(j, j + 1);
    row.append_to(pattern);
  }
  return pattern;
}

SparsePattern fixed_pattern(Index queries, Index keys, Index stride, Index summary, bool causal) {
  if (summary < 1 || summary > stride)
    throw std::invalid_argument(fmt::format("fixed_pattern: summary {} is not in 1..{}, the stride", summary, stride));
  SparsePattern pattern;
  for (Index i = 0; i < queries; ++i) {
    Row row(i, keys, causal);
    const Index block = i / stride * stride;
    row.range(block, block + stride);
    for (Index end = stride; end - summary < row.end(); end += stride) row.range(end - summary, end);
    row.append_to(pattern);
  }
  return pattern;
}

SparsePattern mask_pattern(Index queries, Index keys, const std::vector<std::uint8_t>& visible, bool causal) {
  SparsePattern pattern;
  for (Index i = 0; i < queries; ++i) {
    for (Index j = 0; j < (causal ? std::min(keys, i + 1) : keys); ++j)
      if (visible[static_cast<std::size_t>(i * keys + j)] != 0) pattern.columns.push_back(j);
    end_row(pattern);
  }
  return pattern;
}

SparsePattern intersection(const SparsePattern& pattern, Index keys, const std::vector<std::uint8_t>& visible) {
  SparsePattern result;
  for (Index i = 0; i < pattern.rows(); ++i) {
    for (Index at = pattern.starts[static_cast<std::size_t>(i)]; at < pattern.starts[static_cast<std::size_t>(i) + 1];
         ++at) {
      const Index j = pattern.columns[static_cast<std::size_t>(at)];
      if (visible[static_cast<std::size_t>(i * keys + j)] != 0) result.columns.push_back(j);
    }
    end_row(result);
  }
  return result;
}

SparsePattern pooled_pattern(const SparsePattern& pattern, Index factor, Index windows, Index keys) {
  SparsePattern result;
  for (Index i = 0; i < pattern.rows(); ++i) {
    for (Index at = pattern.starts[static_cast<std::size_t>(i)]; at < pattern.starts[static_cast<std::size_t>(i) + 1];
         ++at) {
      const Index j = pattern.columns[static_cast<std::size_t>(at)], w = j / factor;
      const bool known = result.pairs() > result.starts.back() && result.columns.back() == w;
      if (w < windows && j < keys && !known) result.columns.push_back(w);
    }
    end_row(result);
  }
  return result;
}

}  // namespace attest::attention
