// A kernel (Gram) matrix, held densely or computed column by column when a solver first asks for a column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace attest::svr {

/// Symmetric positive semidefinite matrix K(i, j) = kappa(x_i, x_j) of size n x n, read by columns.
///
/// Columns computed on demand are kept, as many as the caller allows: a support vector solver reads only the columns of
/// the samples that it ever moves, and those again and again. Not safe for concurrent use of one object.
class Gram {
 public:
  /// Fills `column` (length n) with column j of the matrix.
  using ColumnFunction = std::function<void(std::size_t j, std::span<double> column)>;

  /// Dense matrix: `entries` holds n * n numbers; row- or column-major is the same, since the matrix is symmetric.
  /// Errors: std::invalid_argument when the count is not n * n, an entry is not finite, the matrix is not symmetric, or
  /// a diagonal entry is negative. Positive semidefiniteness is a precondition that is not checked.
  static Gram dense(std::size_t n, std::vector<double> entries);

  /// Matrix given by its `diagonal` (length n) and a function for the columns; what the function writes is trusted.
  /// At most `kept_columns` columns are kept, those used last; the others are computed again.
  /// Errors: std::invalid_argument when a diagonal entry is negative or not finite, the function is empty, or fewer
  /// than 2 columns may be kept.
  static Gram by_columns(std::vector<double> diagonal, ColumnFunction function,
                         std::size_t kept_columns = std::numeric_limits<std::size_t>::max());

  /// Number n of samples.
  std::size_t size() const { return diagonal_.size(); }
  /// K(i, i).
  double diagonal(std::size_t i) const { return diagonal_[i]; }
  /// Column j, length n; stays valid as long as the object where all columns are kept, otherwise until kept_columns - 1
  /// others have been asked for.
  std::span<const double> column(std::size_t j);

 private:
  std::vector<double> diagonal_;
  std::vector<std::vector<double>> columns_;  // an empty column has not been computed yet
  ColumnFunction function_;
  std::size_t kept_columns_ = std::numeric_limits<std::size_t>::max(), stored_ = 0;
  std::uint64_t clock_ = 0;
  std::vector<std::uint64_t> last_use_;
};

}  // namespace attest::svr
