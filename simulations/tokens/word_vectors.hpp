// Word vectors by a truncated singular value decomposition of co-occurrence statistics.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "simulations/tokens/cooccurrence.hpp"

namespace attest::simulations {

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

/// Word vectors of a text: rows of U diag(sqrt(singular values)) of its positive mutual information, from which the
/// mean over the text is taken, scaled to mean square 1 a coordinate over the text. vocabulary_size x dimensions.
/// Errors: those of positive_mutual_information and truncated_svd.
Eigen::MatrixXd word_vectors(std::span<const std::int32_t> text, std::size_t vocabulary_size, std::size_t window,
                             std::size_t dimensions);

}  // namespace attest::simulations
