#include "kernels/spectra/attention_matrices.hpp"

#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

#include "kernels/spectra/dense_spectrum.hpp"
#include "kernels/spectra/symmetric_spectrum.hpp"
#include "tests/support/rounding.hpp"

namespace attest::spectra {
namespace {

constexpr int n = 24;
constexpr int d = 4;

// Two sums of n weights, in orders of their own.
constexpr double sum_rounding = 2 * n * tests::unit_roundoff;
// The QR algorithm's error is a small multiple of n roundings, times the condition of the eigenvectors.
double qr_error(double condition) { return 10 * n * tests::unit_roundoff * condition; }

// Of D^-1 W with symmetric W, which the roots of D make symmetric: sqrt(max D / min D), and D_i/D_0 = a_0i/a_i0.
double condition_of_symmetrisable(const Eigen::MatrixXd& a) {
  const Eigen::ArrayXd ratios = a.row(0).transpose().array() / a.col(0).array();
  return std::sqrt(ratios.maxCoeff() / ratios.minCoeff());
}

Eigen::MatrixXd example(AttentionFamily family) { return random_attention(family, n, d, 1, 2, 3); }

TEST(RandomAttention, is_row_stochastic_and_its_spectrum_lies_in_the_unit_disc_for_every_family) {
  for (int i = 0; i < attention_family_count; ++i) {
    const auto family = static_cast<AttentionFamily>(i);
    const Eigen::MatrixXd a = example(family);
    EXPECT_GE(a.minCoeff(), 0) << name(family);
    EXPECT_LE((a.rowwise().sum() - Eigen::VectorXd::Ones(n)).cwiseAbs().maxCoeff(), sum_rounding) << name(family);
    constexpr double condition = 10;  // of the eigenvalue 1
    EXPECT_LE(std::abs(eigenvalues(a)[0]), 1 + qr_error(condition)) << name(family);
  }
}

TEST(RandomAttention, has_a_real_nonnegative_spectrum_for_the_symmetric_families) {
  for (const AttentionFamily family : {AttentionFamily::gaussian_kernel, AttentionFamily::shared_projection}) {
    const Eigen::MatrixXd a = example(family);
    const double error = qr_error(condition_of_symmetrisable(a) * a.norm());
    for (const std::complex<double> value : eigenvalues(a)) {
      EXPECT_LE(std::abs(value.imag()), error) << name(family);
      EXPECT_GE(value.real(), -error) << name(family);
    }
  }
}

TEST(RandomAttention, has_complex_and_negative_eigenvalues_for_independent_projections) {
  double most_negative = 0;
  double most_imaginary = 0;
  for (const std::complex<double> value : eigenvalues(example(AttentionFamily::asymmetric))) {
    most_negative = std::min(most_negative, value.real());
    most_imaginary = std::max(most_imaginary, value.imag());
  }
  constexpr double far_beyond_rounding = 1e-3;
  EXPECT_LT(most_negative, -far_beyond_rounding);
  EXPECT_GT(most_imaginary, far_beyond_rounding);
}

TEST(RandomAttention, is_lower_triangular_for_the_causal_family) {
  const Eigen::MatrixXd a = example(AttentionFamily::causal);
  EXPECT_TRUE(a.isLowerTriangular());
  EXPECT_GT(a.diagonal().minCoeff(), 0);
  EXPECT_EQ(a(0, 0), 1);
}

TEST(RandomAttention, puts_nearly_all_weight_on_one_token_when_peaked_and_spreads_it_when_near_uniform) {
  // The mean over rows of the largest weight.
  const auto peak = [](const Eigen::MatrixXd& a) { return a.rowwise().maxCoeff().mean(); };
  EXPECT_GT(peak(example(AttentionFamily::peaked)), 0.8);
  EXPECT_LT(peak(example(AttentionFamily::near_uniform)), 2.0 / n);
  EXPECT_LT(std::abs(eigenvalues(example(AttentionFamily::near_uniform))[1]), 0.2);
}

TEST(RandomAttention, is_a_pure_function_of_its_arguments) {
  EXPECT_EQ(example(AttentionFamily::peaked), example(AttentionFamily::peaked));
  EXPECT_NE(random_attention(AttentionFamily::peaked, n, d, 1, 2, 4), example(AttentionFamily::peaked));
  EXPECT_THROW(random_attention(AttentionFamily::peaked, 0, d, 1, 2, 4), std::invalid_argument);
}

TEST(SoftmaxAttention, equals_its_formula_and_does_not_overflow) {
  Eigen::MatrixXd q(2, 1);
  q << 1, 1000;
  const Eigen::MatrixXd a = softmax_attention(q, q, 1.0);
  EXPECT_DOUBLE_EQ(a(1, 1), 1);
  const Eigen::MatrixXd warm = softmax_attention(q / 1000, q / 1000, 0.5);
  constexpr double rounding = 6 * tests::unit_roundoff;  // three operations on either side
  EXPECT_NEAR(warm(1, 1), 1 / (1 + std::exp((0.001 - 1) / 0.5)), rounding);
  EXPECT_THROW(softmax_attention(q, q, 0), std::invalid_argument);
  EXPECT_THROW(softmax_attention(q, Eigen::MatrixXd::Zero(3, 1), 1), std::invalid_argument);
}

TEST(Kernels, are_symmetric_and_positive_semidefinite) {
  const Eigen::MatrixXd x = random_normal_matrix(10, 3, 1, 2, 3);
  for (const Eigen::MatrixXd& w : {gaussian_kernel(x, 0.5), exponential_kernel(x, 2)}) {
    EXPECT_EQ(w, w.transpose());
    EXPECT_GT(symmetric_eigenvalues(w).back(), 0);
  }
  EXPECT_EQ(gaussian_kernel(x, 0.5).diagonal(), Eigen::VectorXd::Ones(10));
  EXPECT_THROW(gaussian_kernel(x, -1), std::invalid_argument);
}

TEST(SymmetricConjugate, is_similar_to_the_row_normalised_matrix) {
  const Eigen::MatrixXd w = exponential_kernel(random_normal_matrix(8, 3, 1, 2, 3), 2);
  const Eigen::VectorXd root = w.rowwise().sum().cwiseSqrt();
  const Eigen::MatrixXd back = root.cwiseInverse().asDiagonal() * symmetric_conjugate(w) * root.asDiagonal();
  EXPECT_TRUE(back.isApprox(row_normalised(w), 10 * tests::unit_roundoff));
  EXPECT_THROW(row_normalised(Eigen::MatrixXd::Zero(2, 2)), std::invalid_argument);
  EXPECT_THROW(symmetric_conjugate(Eigen::MatrixXd::Ones(2, 3)), std::invalid_argument);
}

}  // namespace
}  // namespace attest::spectra
