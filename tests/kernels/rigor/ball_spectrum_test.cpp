#include "kernels/rigor/ball_spectrum.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

namespace attest::rigor {
namespace {

// Of 128 bits at most 28 are lost.
constexpr double narrow = 0x1p-100;

TEST(BallEigenvalues, of_a_cyclic_permutation_are_the_cube_roots_of_unity) {
  BallMatrix a(3, 3);
  a(0, 1) = a(1, 2) = a(2, 0) = 1;
  const auto values = eigenvalues(a);
  ASSERT_TRUE(values);
  int real = 0;
  for (const ComplexBall& value : *values) {
    EXPECT_TRUE(overlaps(modulus(value), Ball(1)));
    EXPECT_LE(modulus(value).radius(), narrow);
    if (value.imaginary.contains_zero()) {
      ++real;
      EXPECT_TRUE(value.real.contains(1.0));
    } else {
      EXPECT_TRUE(value.real.contains(-0.5));
    }
  }
  EXPECT_EQ(real, 1);
}

TEST(BallEigenvalues, of_a_uniform_average_are_one_and_zeros_that_share_one_enclosure) {
  BallMatrix a(4, 4);
  for (Ball& entry : a.entries) entry = Ball(0.25);
  const auto values = eigenvalues(a);
  ASSERT_TRUE(values);
  EXPECT_TRUE(values->front().real.contains(1.0));
  for (std::size_t i = 1; i < 4; ++i) {
    EXPECT_TRUE((*values)[i].real.contains_zero());
    EXPECT_LE((*values)[i].real.radius(), narrow);
  }
  EXPECT_FALSE(eigendecomposition(a));
}

TEST(BallEigenvalues, are_not_given_for_a_defective_matrix) {
  BallMatrix a(2, 2);
  a(0, 0) = a(1, 1) = Ball(0.5);
  a(0, 1) = 1;
  EXPECT_FALSE(eigenvalues(a));
  EXPECT_FALSE(eigendecomposition(a));
}

TEST(BallEigendecomposition, gives_the_matrix_back_and_biorthogonal_vectors) {
  BallMatrix a(3, 3);
  const double entries[] = {0.5, 0.25, 0.25, 0.125, 0.75, 0.125, 0.625, 0.25, 0.125};
  for (std::size_t i = 0; i < 9; ++i) a.entries[i] = entries[i];
  const auto e = eigendecomposition(a);
  ASSERT_TRUE(e);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      ComplexBall product{0, 0};
      ComplexBall unit{0, 0};
      for (std::size_t k = 0; k < 3; ++k) {
        product = product + e->right[3 * i + k] * e->values[k] * e->left[3 * k + j];
        unit = unit + e->left[3 * i + k] * e->right[3 * k + j];
      }
      EXPECT_TRUE(product.real.contains(entries[3 * i + j]));
      EXPECT_TRUE(product.imaginary.contains_zero());
      EXPECT_LE(product.real.radius(), narrow);
      EXPECT_TRUE(unit.real.contains(i == j ? 1.0 : 0.0));
    }
  }
}

TEST(BallEigenvalues, refuse_a_matrix_that_is_not_square) {
  EXPECT_THROW(eigenvalues(BallMatrix(2, 3)), std::invalid_argument);
  EXPECT_THROW(eigendecomposition(BallMatrix(0, 0)), std::invalid_argument);
}

}  // namespace
}  // namespace attest::rigor
