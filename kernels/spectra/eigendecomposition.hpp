// A general matrix in its biorthogonal eigenvectors.
#pragma once

#include <Eigen/Core>

namespace attest::spectra {

/// A = right diag(values) left with left = right^-1: the columns of `right` and the rows of `left` are biorthogonal
/// eigenvectors, so that the coefficients of u are left u (and not the inner products with the columns of `right`).
struct Eigendecomposition {
  Eigen::VectorXcd values;  ///< in the order of eigenvalues()
  Eigen::MatrixXcd right;   ///< N x N, columns of unit length
  Eigen::MatrixXcd left;    ///< N x N, inverse of `right`
  double condition;         ///< |right| |left| in the Frobenius norm; huge when A is close to defective
};

/// Eigendecomposition of a general matrix. For a defective matrix `condition` is huge or infinite and the product does
/// not give A back: check it. Errors: as eigenvalues in dense_spectrum.hpp.
Eigendecomposition eigendecomposition(const Eigen::MatrixXd& a);

}  // namespace attest::spectra
