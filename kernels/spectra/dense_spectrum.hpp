// All eigenvalues of a dense matrix.
#pragma once

#include <complex>
#include <vector>

#include <Eigen/Core>

namespace attest::spectra {

/// Eigenvalues of a general square matrix by the QR algorithm, by decreasing modulus (ties: decreasing real part, then
/// decreasing imaginary part). For a matrix of norm 1 each is off by about N eps times its condition number, which for
/// a defective eigenvalue of multiplicity m means eps^(1/m).
/// Errors: std::invalid_argument if `a` is empty, not square or not finite; std::runtime_error without convergence.
std::vector<std::complex<double>> eigenvalues(const Eigen::MatrixXd& a);

/// Eigenvalues of a general matrix with right eigenvectors: a v_j = values_j v_j.
struct Eigenpairs {
  Eigen::VectorXcd values;   ///< in the order of eigenvalues()
  Eigen::MatrixXcd vectors;  ///< N x N, columns v_j of unit length; for a defective matrix nearly dependent
};

/// Errors: as eigenvalues.
Eigenpairs eigenpairs(const Eigen::MatrixXd& a);

}  // namespace attest::spectra
