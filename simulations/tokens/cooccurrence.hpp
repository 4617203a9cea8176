// How often words stand near each other, and the association that this shows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace attest::tokens {

/// One entry of a sparse matrix.
struct Entry {
  std::int32_t row;
  std::int32_t column;
  double value;
};

/// Positive pointwise mutual information of words at distance 1..window in `text` (indices below `vocabulary_size`):
/// max(0, log(n_ij n / (n_i n_j))), where n_ij counts the ordered pairs of positions at such a distance that hold i and
/// j, n_i = sum_j n_ij and n = sum_i n_i (K. Church and P. Hanks 1990). Symmetric. Only positive entries, by row, then
/// column. Memory: vocabulary_size^2 counts of four bytes.
/// Errors: std::invalid_argument when the window is 0 or an index is outside the vocabulary.
std::vector<Entry> positive_mutual_information(std::span<const std::int32_t> text, std::size_t vocabulary_size,
                                               std::size_t window);

}  // namespace attest::tokens
