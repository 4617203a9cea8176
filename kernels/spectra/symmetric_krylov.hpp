// The largest eigenpairs of a symmetric operator that is known by its products alone.
#pragma once

#include <functional>

#include <Eigen/Core>

namespace attest::spectra {

/// to = S from, both of `order` numbers, for a symmetric S.
using SymmetricProduct = std::function<void(const double* from, double* to)>;

struct KrylovPairs {
  Eigen::VectorXd values;   ///< by decreasing modulus
  Eigen::MatrixXd vectors;  ///< order x count, columns of unit length
  bool converged = false;   ///< whether all of them were found
};

/// The `count` eigenvalues of largest modulus and their eigenvectors, by the implicitly restarted Lanczos method
/// (Spectra) in a space of `space` dimensions, with at most 1000 restarts: |S v - lambda v| <= tolerance max(|lambda|,
/// eps^(2/3)). Preconditions: 1 <= count < order; count < space <= order. Errors: std::invalid_argument otherwise.
KrylovPairs largest_symmetric_eigenpairs(const SymmetricProduct& product, Eigen::Index order, Eigen::Index count,
                                         Eigen::Index space, double tolerance);

}  // namespace attest::spectra
