// All eigenvalues of a symmetric matrix, and of a kernel normalised to unit row sums.
#pragma once

#include <vector>

#include <Eigen/Core>

namespace attest::spectra {

/// Eigenvalues of a symmetric matrix, largest first, each to about N eps |s|. Reads the lower triangle only.
///
/// Errors: std::invalid_argument if `s` is empty, not square or not finite; std::runtime_error without convergence.
std::vector<double> symmetric_eigenvalues(const Eigen::MatrixXd& s);

/// Eigenvalues, largest first, with orthonormal eigenvectors in the columns of `vectors`.
struct SymmetricEigenpairs {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};

/// Errors: as above.
SymmetricEigenpairs symmetric_eigenpairs(const Eigen::MatrixXd& s);

/// The same, smallest first and unchecked: of a matrix that is not finite the numbers mean nothing.
SymmetricEigenpairs increasing_symmetric_eigenpairs(const Eigen::MatrixXd& s);

/// Eigenvalues of D^-1 W, D = diag(W 1), for a symmetric W with positive row sums, through the similar symmetric matrix
/// D^-1/2 W D^-1/2: real, largest first. Errors: as above, and std::invalid_argument for a row sum that is not
/// positive.
std::vector<double> normalised_kernel_eigenvalues(const Eigen::MatrixXd& w);

}  // namespace attest::spectra
