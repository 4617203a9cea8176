// Operator norms of matrices.
#pragma once

#include <Eigen/Core>

namespace attest::spectra {

/// Largest singular value of an N x d matrix, from the Gram matrix of its shorter side: relative error about
/// max(N, d) eps. O(N d min(N, d)). Errors: std::invalid_argument for an empty or not finite matrix.
double operator_norm(const Eigen::MatrixXd& m);

}  // namespace attest::spectra
