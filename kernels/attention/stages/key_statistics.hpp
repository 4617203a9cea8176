// The steps of recentring (kernels/attention/stages/recentre.hpp) on rows of one head, for kernels that recentre rows
// where they use them.
#pragma once

#include <vector>

#include "kernels/attention/stages/recentre.hpp"

namespace attest::attention {

/// One number per feature.
using Row = std::vector<double>;

/// mu and s^-1 (1 where not normalised) of each feature of the first `length` of a head's keys, rows of `dim` entries,
/// and shift = beta mu; mu = 0 without keys. T is float or double.
struct KeyStatistics {
  Row mean, inverse, shift;

  KeyStatistics() = default;
  template <typename T>
  KeyStatistics(const T* keys, Index length, Index dim, double beta, const RecentreOptions& options);
};

/// 1/sqrt(sum of squares/count + epsilon) of each feature, or 1.
void fill_inverse_deviations(const double* sums_of_squares, Index dim, Index count, const RecentreOptions& options,
                             double* inverse);

/// (x - shift) inverse of every row.
template <typename T, typename To>
void scale_rows(const T* x, Index x_row, Index rows, Index dim, const double* shift, const double* inverse, To* to,
                Index to_row);

/// What the gradients of rows of q' and k' mean for the statistics, and these for keys and beta.
struct StatisticsGradients {
  Row of_shift, of_inverse;                ///< sums over rows
  Row of_beta, through_mean, through_key;  ///< what `finish` makes of them; of_beta feature by feature

  explicit StatisticsGradients(Index dim)
      : of_shift(static_cast<std::size_t>(dim)), of_inverse(static_cast<std::size_t>(dim)) {}

  /// Adds rows x of q or k with the gradients of q' or k'.
  template <typename T, typename G>
  void add(const T* x, const G* gradients, Index gradient_row, Index rows, const KeyStatistics& statistics);
  /// From the sums over all rows of a head: of_beta = of_shift mu, through_mean = beta of_shift/n and through_key =
  /// -of_inverse s^-3/n (0 where not normalised), with n = max(length, 1).
  void finish(const KeyStatistics& statistics, double beta, Index length, bool normalised);
  /// Gradients of keys, from those of their k': in inverse + through_mean + through_key (key - mean).
  template <typename T, typename G>
  void write_keys(const T* keys, const G* gradients, Index gradient_row, Index rows, const KeyStatistics& statistics,
                  T* to) const;
};

}  // namespace attest::attention
