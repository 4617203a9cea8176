// Truncated singular value decomposition of a sparse symmetric matrix.
#pragma once

#include <cstddef>
#include <vector>

#include <Eigen/Core>

#include "simulations/tokens/cooccurrence.hpp"

namespace attest::tokens {

/// The best approximation of a symmetric matrix M of rank `dimensions`: M ~ U diag(singular_values) V^T.
struct TruncatedSvd {
  Eigen::MatrixXd left;  ///< U, n x dimensions, orthonormal columns; the largest entry of each is positive
  std::vector<double> singular_values;  ///< decreasing
};

/// Truncated singular value decomposition of the symmetric n x n matrix with these entries, by implicitly restarted
/// Lanczos (Spectra): singular values are the moduli of the eigenvalues largest in modulus, U their eigenvectors.
/// Deterministic. Errors: std::invalid_argument when dimensions is 0 or not below n/2;
/// std::runtime_error when the iteration does not converge.
TruncatedSvd truncated_svd(const std::vector<Entry>& entries, std::size_t n, std::size_t dimensions);

}  // namespace attest::tokens
