// The Nadaraya-Watson estimator on a given design, and its smoother matrix.
#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

#include "kernels/regression/kernel.hpp"

namespace attest::regression {

/// sum_j L((x - X_j)/h) Y_j / sum_j L((x - X_j)/h) at each x of `points`, L the kernel's `form`.
///
/// `design` X_1 <= ... <= X_n is sorted and as long as `responses` Y; h > 0 (std::invalid_argument otherwise).
/// O(n) a point, or O(number of neighbours) for a compact kernel: only the window |x - X_j| <= h radius is visited.
/// A point whose weights sum to exactly 0 (an empty window) gives NaN. For the twicing kernel the total can be negative
/// or nearly 0: the estimator is then what the formula says, and is not a weighted mean.
std::vector<double> nadaraya_watson(const Kernel& kernel, Form form, std::span<const double> design,
                                    std::span<const double> responses, std::span<const double> points, double h);

/// The smoother matrix [points x n] of the estimator: row i holds L((x_i - X_j)/h)/sum_l L((x_i - X_l)/h).
/// Same preconditions; a row without weight is NaN.
Eigen::MatrixXd smoother_matrix(const Kernel& kernel, Form form, std::span<const double> design,
                                std::span<const double> points, double h);

/// The matrix L((x_i - X_j)/h) * step/h without normalisation: the Riemann sum of the convolution (L_h * v)(x_i) on a
/// grid of that step.
Eigen::MatrixXd convolution_matrix(const Kernel& kernel, Form form, std::span<const double> design,
                                   std::span<const double> points, double h, double step);

}  // namespace attest::regression
