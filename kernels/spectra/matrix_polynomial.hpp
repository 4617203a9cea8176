// Powers of A and of the twicing polynomial 2A - A^2 applied to vectors, and what is left of them.
#pragma once

#include <Eigen/Core>

namespace attest::spectra {

/// A^n V by n products; V is N x m. n at least 0. Errors: std::invalid_argument for shapes that do not match or n < 0.
Eigen::MatrixXd apply_power(const Eigen::MatrixXd& a, int n, Eigen::MatrixXd v);

/// (2A - A^2)^n V by n times V <- AV + A(V - AV), two products each (Twicing, Eqs 18-19). Errors: as apply_power.
Eigen::MatrixXd apply_twicing_power(const Eigen::MatrixXd& a, int n, Eigen::MatrixXd v);

/// 2A - A^2, N x N.
Eigen::MatrixXd twicing_matrix(const Eigen::MatrixXd& a);

/// Frobenius norm of V - 1 1^T V / N: the distance of the N rows from all being equal, which is where smoothing ends.
double distance_to_consensus(const Eigen::MatrixXd& v);

}  // namespace attest::spectra
