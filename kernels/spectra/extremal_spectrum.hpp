// The largest eigenvalues of a matrix too large for all of them.
#pragma once

#include <complex>
#include <vector>

#include <Eigen/Core>

namespace attest::spectra {

/// Eigenvalues of largest modulus, and whether the iteration reached its tolerance. Not reaching it is a status, not
/// misuse: the caller decides.
struct ExtremalEigenvalues {
  std::vector<std::complex<double>> values;  ///< by decreasing modulus; only those that converged
  bool converged;                            ///< all that were asked for
};

/// The `count` eigenvalues of largest modulus of a general matrix, by the implicitly restarted Arnoldi method (Spectra)
/// to a relative tolerance of 1e-10. One N^2 product per step, on up to `threads` threads (0: one per core), with the
/// same bits for any number of them; a second copy of the matrix, by rows, is held. Precondition: 1 <= count <= N - 2.
/// Errors: std::invalid_argument for another count or a matrix that is not square.
ExtremalEigenvalues largest_eigenvalues(const Eigen::MatrixXd& a, int count, unsigned threads = 1);

}  // namespace attest::spectra
