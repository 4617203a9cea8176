#include "kernels/spectra/operator_norm.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

#include "kernels/spectra/attention_matrices.hpp"
#include "tests/support/rounding.hpp"

namespace attest::spectra {
namespace {

TEST(OperatorNorm, is_the_largest_singular_value_of_wide_and_of_tall_matrices) {
  Eigen::MatrixXd m = Eigen::MatrixXd::Zero(4, 2);
  m(0, 0) = 3;
  m(1, 0) = 4;
  m(2, 1) = 2;
  constexpr double rounding = 8 * tests::unit_roundoff;  // relative, of a Gram matrix of order 2 and a root
  EXPECT_NEAR(operator_norm(m), 5, 5 * rounding);
  EXPECT_NEAR(operator_norm(m.transpose()), 5, 5 * rounding);
  EXPECT_NEAR(operator_norm(1e200 * m), 5e200, 5e200 * rounding);
  EXPECT_EQ(operator_norm(Eigen::MatrixXd::Zero(3, 3)), 0);
}

TEST(OperatorNorm, of_a_tall_random_matrix_grows_like_sqrt_n_plus_sqrt_d) {
  // Gaussian concentration: outside sqrt(N) +- (sqrt(d) + 6) with probability below 2 exp(-18).
  const double norm = operator_norm(random_normal_matrix(4000, 16, 1, 2, 3));
  EXPECT_NEAR(norm, std::sqrt(4000.0), 4 + 6);
}

TEST(OperatorNorm, refuses_what_is_not_finite) {
  EXPECT_THROW(operator_norm(Eigen::MatrixXd::Constant(2, 2, std::numeric_limits<double>::infinity())),
               std::invalid_argument);
}

}  // namespace
}  // namespace attest::spectra
