#include "kernels/spectra/symmetric_krylov.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

#include "kernels/spectra/attention_matrices.hpp"
#include "kernels/spectra/symmetric_spectrum.hpp"

namespace attest::spectra {
namespace {

constexpr double tolerance = 1e-10;

TEST(LargestSymmetricEigenpairs, agree_with_the_dense_spectrum_of_a_normalised_kernel) {
  const Eigen::MatrixXd w = gaussian_kernel(random_normal_matrix(80, 3, 1, 2, 3), 1.0);
  const Eigen::MatrixXd s = symmetric_conjugate(w);
  const SymmetricProduct product = [&](const double* from, double* to) {
    Eigen::Map<Eigen::VectorXd>(to, 80) = s * Eigen::Map<const Eigen::VectorXd>(from, 80);
  };
  const KrylovPairs pairs = largest_symmetric_eigenpairs(product, 80, 5, 20, tolerance);
  ASSERT_TRUE(pairs.converged);
  const std::vector<double> dense = normalised_kernel_eigenvalues(w);
  for (Eigen::Index i = 0; i < 5; ++i) {
    EXPECT_LE(std::abs(pairs.values[i] - dense[static_cast<std::size_t>(i)]), tolerance) << i;
    EXPECT_LE((s * pairs.vectors.col(i) - pairs.values[i] * pairs.vectors.col(i)).norm(), tolerance) << i;
  }
}

TEST(LargestSymmetricEigenpairs, refuse_counts_that_the_method_cannot_serve) {
  const SymmetricProduct identity = [](const double* from, double* to) { std::copy(from, from + 5, to); };
  EXPECT_THROW(largest_symmetric_eigenpairs(identity, 5, 5, 5, tolerance), std::invalid_argument);
  EXPECT_THROW(largest_symmetric_eigenpairs(identity, 5, 0, 5, tolerance), std::invalid_argument);
  EXPECT_THROW(largest_symmetric_eigenpairs(identity, 5, 2, 2, tolerance), std::invalid_argument);
}

}  // namespace
}  // namespace attest::spectra
