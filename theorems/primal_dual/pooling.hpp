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

}  // namespace attest::primal_dual
