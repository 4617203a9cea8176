// Average pooling of tokens, which gives a scaled head its keys and values (Remark 5).
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace attest::primal_dual {

/// Means of successive groups of `factor` rows of `columns` entries, given and returned row by row; a shorter last
/// group is averaged over its own count. `first` multiplies the weight of each group's first row, for near-misses.
template <class Real>
std::vector<Real> average_pooled(std::span<const Real> rows, std::size_t columns, std::size_t factor,
                                 double first = 1) {
  const std::size_t count = rows.size() / columns;
  std::vector<Real> out;
  for (std::size_t begin = 0; begin < count; begin += factor) {
    const std::size_t end = std::min(begin + factor, count);
    for (std::size_t d = 0; d < columns; ++d) {
      Real sum(0);
      for (std::size_t j = begin; j < end; ++j) sum += Real(j == begin ? first : 1.0) * rows[j * columns + d];
      out.push_back(sum / Real(static_cast<double>(end - begin)));
    }
  }
  return out;
}

/// Number of groups of `factor` rows, a shorter last one included.
inline std::size_t pooled_rows(std::size_t rows, std::size_t factor) { return (rows + factor - 1) / factor; }

/// Values of `rows` tokens that averaging over groups of `factor` makes the unit vectors, row by row: a scaled head's
/// output for them is its weights.
inline std::vector<double> scaled_head_values(std::size_t rows, std::size_t factor) {
  const std::size_t groups = pooled_rows(rows, factor);
  std::vector<double> values(rows * groups, 0.0);
  for (std::size_t j = 0; j < rows; ++j) values[j * groups + j / factor] = 1;
  return values;
}

}  // namespace attest::primal_dual
