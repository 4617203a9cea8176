#include "kernels/spectra/dense_spectrum.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/support/rounding.hpp"

namespace attest::spectra {
namespace {

using Complex = std::complex<double>;

/// Row-stochastic circulant with first row `weights`.
Eigen::MatrixXd circulant(const Eigen::VectorXd& weights) {
  const Eigen::Index n = weights.size();
  Eigen::MatrixXd a(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < n; ++j) a(i, j) = weights[(j - i + n) % n];
  }
  return a;
}

/// Distance from `value` to the nearest of `values`.
double distance_to(const std::vector<Complex>& values, Complex value) {
  double nearest = std::abs(values.front() - value);
  for (const Complex candidate : values) nearest = std::min(nearest, std::abs(candidate - value));
  return nearest;
}

// The QR algorithm's error is a small multiple of N roundings of a normal matrix of norm 1.
constexpr double qr_error(int n) { return 10 * n * tests::unit_roundoff; }
constexpr double normal_matrix_error = qr_error(7);

TEST(Eigenvalues, of_a_circulant_are_the_fourier_transform_of_its_row) {
  Eigen::VectorXd weights(7);
  weights << 0.1, 0.4, 0.05, 0.15, 0.1, 0.05, 0.15;
  const std::vector<Complex> values = eigenvalues(circulant(weights));
  ASSERT_EQ(values.size(), 7U);
  for (int k = 0; k < 7; ++k) {
    Complex expected = 0;
    for (int j = 0; j < 7; ++j) expected += weights[j] * std::polar(1.0, 2 * std::numbers::pi * j * k / 7);
    EXPECT_LE(distance_to(values, expected), normal_matrix_error) << k;
  }
}

TEST(Eigenvalues, of_a_cyclic_permutation_are_the_roots_of_unity) {
  Eigen::VectorXd weights = Eigen::VectorXd::Zero(5);
  weights[1] = 1;
  const std::vector<Complex> values = eigenvalues(circulant(weights));
  for (int k = 0; k < 5; ++k) {
    EXPECT_LE(distance_to(values, std::polar(1.0, 2 * std::numbers::pi * k / 5)), normal_matrix_error);
  }
}

TEST(Eigenvalues, of_the_uniform_average_are_one_and_zeros) {
  const std::vector<Complex> values = eigenvalues(Eigen::MatrixXd::Constant(6, 6, 1.0 / 6));
  EXPECT_LE(std::abs(values[0] - 1.0), normal_matrix_error);
  for (std::size_t i = 1; i < 6; ++i) EXPECT_LE(std::abs(values[i]), normal_matrix_error);
}

TEST(Eigenvalues, of_a_triangular_matrix_are_its_diagonal) {
  Eigen::MatrixXd a(3, 3);
  a << 1, 0, 0, 0.7, 0.3, 0, 0.2, 0.3, 0.5;
  const std::vector<Complex> values = eigenvalues(a);
  constexpr double condition = 3;  // of the eigenvectors, the farthest from each other in angle
  EXPECT_LE(std::abs(values[0] - 1.0), condition * qr_error(3));
  EXPECT_LE(std::abs(values[1] - 0.5), condition * qr_error(3));
  EXPECT_LE(std::abs(values[2] - 0.3), condition * qr_error(3));
}

TEST(Eigenvalues, include_a_negative_one_for_a_swap) {
  Eigen::MatrixXd swap(2, 2);
  swap << 0, 1, 1, 0;
  const std::vector<Complex> values = eigenvalues(swap);
  EXPECT_LE(std::abs(values[0] - 1.0), normal_matrix_error);
  EXPECT_LE(std::abs(values[1] + 1.0), normal_matrix_error);
}

TEST(Eigenvalues, refuse_what_is_not_a_finite_square_matrix) {
  EXPECT_THROW(eigenvalues(Eigen::MatrixXd(2, 3)), std::invalid_argument);
  EXPECT_THROW(eigenvalues(Eigen::MatrixXd(0, 0)), std::invalid_argument);
  EXPECT_THROW(eigenvalues(Eigen::MatrixXd::Constant(2, 2, std::nan(""))), std::invalid_argument);
}

}  // namespace
}  // namespace attest::spectra
