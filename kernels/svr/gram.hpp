// A kernel (Gram) matrix, held densely or computed column by column when a solver first asks for a column.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace attest::svr {

/// Symmetric positive semidefinite matrix K(i, j) = kappa(x_i, x_j) of size n x n, read by columns.
///
/// Columns computed on demand are kept, so memory grows as n times the number of distinct columns read: a support
/// vector solver reads only the columns of the samples that it ever moves. Not safe for concurrent use of one object.
class Gram {
 public:
  /// Fills `column` (length n) with column j of the matrix.
  using ColumnFunction = std::function<void(std::size_t j, std::span<double> column)>;

  /// Dense matrix: `entries` holds n * n numbers; row- or column-major is the same, since the matrix is symmetric.
  /// Errors: std::invalid_argument when the count is not n * n, an entry is not finite, the matrix is not symmetric, or
  /// a diagonal entry is negative. Positive semidefiniteness is a precondition that is not checked.
  static Gram dense(std::size_t n, std::vector<double> entries);

  /// Matrix given by its `diagonal` (length n) and a function for the columns; what the function writes is trusted.
  /// Errors: std::invalid_argument when a diagonal entry is negative or not finite, or the function is empty.
  static Gram by_columns(std::vector<double> diagonal, ColumnFunction function);

  /// Number n of samples.
  std::size_t size() const { return diagonal_.size(); }
  /// K(i, i).
  double diagonal(std::size_t i) const { return diagonal_[i]; }
  /// Column j, length n; stays valid as long as the object.
  std::span<const double> column(std::size_t j);

 private:
  std::vector<double> diagonal_;
  std::vector<std::vector<double>> columns_;  // an empty column has not been computed yet
  ColumnFunction function_;
};

}  // namespace attest::svr
