#include "kernels/spectra/extremal_spectrum.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

#include "kernels/spectra/attention_matrices.hpp"
#include "kernels/spectra/dense_spectrum.hpp"

namespace attest::spectra {
namespace {

// The iteration's relative tolerance; an eigenvalue of a matrix that is not symmetric errs by its condition times that.
constexpr double iteration = 1e-10, condition = 10;

TEST(LargestEigenvalues, agree_with_the_dense_spectrum_of_an_asymmetric_attention_matrix) {
  const Eigen::MatrixXd a = random_attention(AttentionFamily::asymmetric, 80, 8, 1, 2, 3);
  const ExtremalEigenvalues extremal = largest_eigenvalues(a, 4);
  ASSERT_TRUE(extremal.converged);
  const std::vector<std::complex<double>> dense = eigenvalues(a);
  EXPECT_LE(std::abs(extremal.values[0] - 1.0), condition * iteration);
  // Moduli, since the two of a conjugate pair may come in either order.
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_LE(std::abs(std::abs(extremal.values[i]) - std::abs(dense[i])), condition * iteration) << i;
}

TEST(LargestEigenvalues, have_the_same_bits_for_any_number_of_threads) {
  // Large enough for several blocks of rows, and not a multiple of a register.
  const Eigen::MatrixXd a = random_attention(AttentionFamily::asymmetric, 701, 8, 1, 2, 3);
  const auto expected = largest_eigenvalues(a, 3).values;
  for (const unsigned threads : {2U, 7U}) EXPECT_EQ(largest_eigenvalues(a, 3, threads).values, expected) << threads;
}

TEST(LargestEigenvalues, refuse_counts_that_the_method_cannot_serve) {
  EXPECT_THROW(largest_eigenvalues(Eigen::MatrixXd::Identity(5, 5), 4), std::invalid_argument);
  EXPECT_THROW(largest_eigenvalues(Eigen::MatrixXd::Identity(5, 5), 0), std::invalid_argument);
  EXPECT_THROW(largest_eigenvalues(Eigen::MatrixXd::Identity(5, 4), 1), std::invalid_argument);
}

}  // namespace
}  // namespace attest::spectra
