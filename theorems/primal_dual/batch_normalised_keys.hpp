// Batch-normalised keys, Eqs 20 and 23, for doubles and for balls; batch-normalised attention, Eq 22, by the library in
// double precision.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "theorems/primal_dual/keys.hpp"
#include "theorems/primal_dual/pooling.hpp"

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

/// softmax_j(((q - mu) s^-1)'((k_j - mu) s^-1) / sqrt(D)) for all j, Eq 22, over keys that are means of `factor`
/// successive rows (Eq 49; 1 for the rows themselves).
template <class Real>
std::vector<Real> batch_normalised_softmax(std::span<const Real> rows, std::size_t dimension, std::size_t factor,
                                           std::span<const Real> query, const Real& epsilon) {
  if constexpr (std::is_same_v<Real, double>) {
    const std::vector<double> unit_values = scaled_head_values(rows.size() / dimension, factor);
    mechanisms::Setting how{.options = {{"eps", fmt::format("{}", epsilon)}}};
    if (factor > 1) how.options.insert({{"factors", std::to_string(factor)}, {"form", "full"}});
    return mechanisms::output(factor > 1 ? "attention-bn-sh" : "attention-bn",
                              {mechanisms::rows("q", query, dimension), mechanisms::rows("k", rows, dimension),
                               mechanisms::rows("v", unit_values, pooled_rows(rows.size() / dimension, factor))},
                              how);
  } else {
    const Keys<Real> keys(average_pooled<Real>(rows, dimension, factor), dimension);
    const KeyStatistics<Real> statistics(keys, epsilon);
    return statistics.normalised(keys).softmax(statistics.normalised(query));
  }
}

/// softmax_j((q - beta mu)'(k_j - beta mu) / sqrt(D)) for all j, Eq 26, over such means (Eq 51).
template <class Real>
std::vector<Real> recentred_softmax(std::span<const Real> rows, std::size_t dimension, std::size_t factor,
                                    std::span<const Real> query, const Real& beta) {
  if constexpr (std::is_same_v<Real, double>) {
    const std::vector<double> unit_values = scaled_head_values(rows.size() / dimension, factor);
    mechanisms::Setting how{.options = {{"beta", fmt::format("{}", beta)}}};
    if (factor > 1) how.options.insert({{"factors", std::to_string(factor)}, {"form", "simplified"}});
    return mechanisms::output(factor > 1 ? "attention-bn-sh" : "attention-bn-simplified",
                              {mechanisms::rows("q", query, dimension), mechanisms::rows("k", rows, dimension),
                               mechanisms::rows("v", unit_values, pooled_rows(rows.size() / dimension, factor))},
                              how);
  } else {
    const Keys<Real> keys(average_pooled<Real>(rows, dimension, factor), dimension);
    const auto mean = KeyStatistics<Real>(keys, Real(0)).mean;
    std::vector<Real> shifted_query;
    std::vector<Real> shifted;
    for (std::size_t d = 0; d < dimension; ++d) shifted_query.push_back(query[d] - beta * mean[d]);
    for (std::size_t j = 0; j < keys.size(); ++j) {
      for (std::size_t d = 0; d < dimension; ++d) shifted.push_back(keys.row(j)[d] - beta * mean[d]);
    }
    return Keys<Real>(std::move(shifted), dimension).softmax(shifted_query);
  }
}

}  // namespace attest::primal_dual
