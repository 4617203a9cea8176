#include "kernels/spectra/symmetric_spectrum.hpp"

#include <cmath>
#include <complex>
#include <numbers>
#include <stdexcept>

#include <gtest/gtest.h>

#include "kernels/spectra/attention_matrices.hpp"
#include "kernels/spectra/dense_spectrum.hpp"
#include "tests/support/rounding.hpp"

namespace attest::spectra {
namespace {

// The QR algorithm's error is a small multiple of n roundings of the matrix's norm.
double qr_error(double n, double norm) { return 10 * n * tests::unit_roundoff * norm; }

TEST(SymmetricEigenvalues, are_sorted_and_agree_with_a_known_spectrum) {
  // The second difference matrix has eigenvalues 2 - 2 cos(k pi / (n + 1)).
  Eigen::MatrixXd s = Eigen::MatrixXd::Zero(6, 6);
  for (int i = 0; i < 6; ++i) {
    s(i, i) = 2;
    if (i > 0) s(i, i - 1) = s(i - 1, i) = -1;
  }
  const std::vector<double> values = symmetric_eigenvalues(s);
  for (int k = 1; k <= 6; ++k) {
    EXPECT_NEAR(values[static_cast<std::size_t>(6 - k)], 2 - 2 * std::cos(k * std::numbers::pi / 7), qr_error(6, 4));
  }
}

TEST(SymmetricEigenpairs, diagonalise_the_matrix_by_orthonormal_vectors) {
  const Eigen::MatrixXd s = gaussian_kernel(random_normal_matrix(9, 2, 1, 2, 3), 1.0);
  const SymmetricEigenpairs pairs = symmetric_eigenpairs(s);
  EXPECT_LE((pairs.vectors.transpose() * pairs.vectors - Eigen::MatrixXd::Identity(9, 9)).norm(), qr_error(9, 3));
  EXPECT_LE((pairs.vectors * pairs.values.asDiagonal() * pairs.vectors.transpose() - s).norm(), qr_error(9, s.norm()));
  EXPECT_GT(pairs.values[0], pairs.values[8]);
}

TEST(SymmetricEigenpairs, are_the_same_smallest_first) {
  const Eigen::MatrixXd s = gaussian_kernel(random_normal_matrix(9, 2, 1, 2, 3), 1.0);
  const SymmetricEigenpairs decreasing = symmetric_eigenpairs(s), increasing = increasing_symmetric_eigenpairs(s);
  EXPECT_LT(increasing.values[0], increasing.values[8]);
  EXPECT_EQ(Eigen::VectorXd(increasing.values.reverse()), decreasing.values);
  EXPECT_EQ(Eigen::MatrixXd(increasing.vectors.rowwise().reverse()), decreasing.vectors);
}

TEST(NormalisedKernelEigenvalues, agree_with_those_of_the_row_normalised_matrix) {
  const Eigen::MatrixXd w = gaussian_kernel(random_normal_matrix(9, 2, 1, 2, 3), 1.0);
  const std::vector<double> real = normalised_kernel_eigenvalues(w);
  const std::vector<std::complex<double>> general = eigenvalues(row_normalised(w));
  // The matrix is similar to a symmetric one by the roots of its row sums, of which none exceeds 9 times another.
  constexpr double root_of_ratio = 3;
  for (std::size_t i = 0; i < 9; ++i)
    EXPECT_LE(std::abs(general[i] - real[i]), qr_error(9, root_of_ratio * row_normalised(w).norm())) << i;
}

TEST(SymmetricEigenvalues, refuse_what_is_not_a_finite_square_matrix) {
  EXPECT_THROW(symmetric_eigenvalues(Eigen::MatrixXd(2, 3)), std::invalid_argument);
  EXPECT_THROW(symmetric_eigenvalues(Eigen::MatrixXd::Constant(2, 2, std::nan(""))), std::invalid_argument);
  EXPECT_THROW(normalised_kernel_eigenvalues(-Eigen::MatrixXd::Ones(2, 2)), std::invalid_argument);
}

}  // namespace
}  // namespace attest::spectra
