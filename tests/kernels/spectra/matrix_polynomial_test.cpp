#include "kernels/spectra/matrix_polynomial.hpp"

#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

#include "kernels/spectra/attention_matrices.hpp"
#include "tests/support/rounding.hpp"

namespace attest::spectra {
namespace {

/// What two orders of `products` products of 6 x 6 matrices round to, for factors whose norms multiply to `norm`.
double rounding_of(int products, double norm) { return products * 6 * tests::unit_roundoff * norm; }

TEST(ApplyPower, is_repeated_multiplication) {
  const Eigen::MatrixXd a = random_attention(AttentionFamily::asymmetric, 6, 3, 1, 2, 3);
  const Eigen::MatrixXd v = random_normal_matrix(6, 2, 1, 2, 4);
  EXPECT_EQ(apply_power(a, 0, v), v);
  EXPECT_LE((apply_power(a, 3, v) - a * a * a * v).norm(), rounding_of(6, std::pow(a.norm(), 3) * v.norm()));
}

TEST(ApplyTwicingPower, equals_the_power_of_the_twicing_matrix) {
  const Eigen::MatrixXd a = random_attention(AttentionFamily::asymmetric, 6, 3, 1, 2, 3);
  const Eigen::MatrixXd v = random_normal_matrix(6, 2, 1, 2, 4);
  const Eigen::MatrixXd twicing = twicing_matrix(a);
  EXPECT_LE((apply_twicing_power(a, 4, v) - twicing * twicing * twicing * twicing * v).norm(),
            rounding_of(12, std::pow(twicing.norm(), 4) * v.norm()));
}

TEST(ApplyTwicingPower, grows_without_bound_on_a_swap_whose_eigenvalue_is_minus_one) {
  // 2 (-1) - (-1)^2 = -3 for the eigenvector (1, -1).
  Eigen::MatrixXd swap(2, 2);
  swap << 0, 1, 1, 0;
  const Eigen::Vector2d difference(1, -1);
  EXPECT_EQ(apply_twicing_power(swap, 5, difference), std::pow(-3.0, 5) * difference);
}

TEST(MatrixPolynomials, refuse_shapes_that_do_not_match) {
  EXPECT_THROW(apply_power(Eigen::MatrixXd::Identity(3, 3), 1, Eigen::VectorXd::Zero(2)), std::invalid_argument);
  EXPECT_THROW(apply_twicing_power(Eigen::MatrixXd::Identity(3, 3), -1, Eigen::VectorXd::Zero(3)),
               std::invalid_argument);
}

TEST(DistanceToConsensus, is_zero_for_equal_rows_and_ignores_their_mean) {
  EXPECT_EQ(distance_to_consensus(Eigen::MatrixXd::Constant(4, 3, 2.5)), 0);
  Eigen::MatrixXd v(2, 1);
  v << 11, 9;
  EXPECT_DOUBLE_EQ(distance_to_consensus(v), std::sqrt(2.0));
}

}  // namespace
}  // namespace attest::spectra
