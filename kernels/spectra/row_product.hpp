// Matrix times vector on several threads with the same bits for any number of them.
#pragma once

#include <Eigen/Core>

namespace attest::spectra {

/// y = A x for a square matrix, in the form that Spectra's solvers ask for. Each entry is one dot product of fixed
/// order, so how rows are shared out does not matter.
class RowProduct {
 public:
  using Scalar = double;

  /// Copies the matrix by rows. threads: 0 means one per core.
  RowProduct(const Eigen::MatrixXd& a, unsigned threads) : rows_(a), threads_(threads) {}

  Eigen::Index rows() const { return rows_.rows(); }
  Eigen::Index cols() const { return rows_.cols(); }
  /// x, y: arrays of length N.
  void perform_op(const double* x, double* y) const;

 private:
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows_;
  unsigned threads_;
};

}  // namespace attest::spectra
