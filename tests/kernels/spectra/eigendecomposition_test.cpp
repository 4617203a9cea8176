#include "kernels/spectra/eigendecomposition.hpp"

#include <complex>

#include <gtest/gtest.h>

#include "kernels/spectra/attention_matrices.hpp"
#include "tests/support/rounding.hpp"

namespace attest::spectra {
namespace {

TEST(EigenDecomposition, gives_biorthogonal_vectors_and_the_matrix_back) {
  const Eigen::MatrixXd a = random_attention(AttentionFamily::asymmetric, 12, 4, 1, 2, 3);
  const Eigendecomposition e = eigendecomposition(a);
  // The QR algorithm's error is a small multiple of n roundings, times the condition of the eigenvectors.
  const double error = 10 * 12 * tests::unit_roundoff * e.condition;
  EXPECT_LE((e.left * e.right - Eigen::MatrixXcd::Identity(12, 12)).norm(), error);
  EXPECT_LE((e.right * e.values.asDiagonal() * e.left - a.cast<std::complex<double>>()).norm(), error);
}

TEST(EigenDecomposition, shows_a_defective_matrix_by_its_condition) {
  Eigen::MatrixXd jordan(2, 2);
  jordan << 1, 1, 0, 1;
  EXPECT_GE(eigendecomposition(jordan).condition, 1e12);
}

}  // namespace
}  // namespace attest::spectra
