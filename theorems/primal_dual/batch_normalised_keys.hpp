// Batch-normalised keys, Eqs 20 and 23, for doubles and for balls.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "theorems/primal_dual/keys.hpp"

namespace attest::primal_dual {

/// mu(d) = sum_j k_j(d) / N and sigma_d^2 + epsilon with sigma_d^2 = sum_j (k_j(d) - mu(d))^2 / N, over the keys of one
/// sequence and one head.
template <class Real>
struct KeyStatistics {
  std::vector<Real> mean;
  std::vector<Real> variance;  ///< sigma_d^2 + epsilon

  KeyStatistics(const Keys<Real>& keys, const Real& epsilon) : mean(keys.dimension(), Real(0)), variance(mean) {
    const Real count(static_cast<double>(keys.size()));
    for (std::size_t d = 0; d < keys.dimension(); ++d) {
      for (std::size_t j = 0; j < keys.size(); ++j) mean[d] += keys.row(j)[d] / count;
      for (std::size_t j = 0; j < keys.size(); ++j) {
        const Real deviation = keys.row(j)[d] - mean[d];
        variance[d] += deviation * deviation / count;
      }
      variance[d] += epsilon;
    }
  }

  /// (x - mu) s^-1, element by element.
  std::vector<Real> normalised(std::span<const Real> x) const {
    using std::sqrt;
    std::vector<Real> out;
    for (std::size_t d = 0; d < x.size(); ++d) out.push_back((x[d] - mean[d]) / sqrt(variance[d]));
    return out;
  }
  /// All normalised keys.
  Keys<Real> normalised(const Keys<Real>& keys) const {
    std::vector<Real> rows;
    for (std::size_t j = 0; j < keys.size(); ++j) {
      const auto row = normalised(keys.row(j));
      rows.insert(rows.end(), row.begin(), row.end());
    }
    return {std::move(rows), keys.dimension()};
  }
};

}  // namespace attest::primal_dual
