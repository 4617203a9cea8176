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
}

TEST(BallEigenvalues, are_not_given_for_a_defective_matrix) {
  BallMatrix a(2, 2);
  a(0, 0) = a(1, 1) = Ball(0.5);
  a(0, 1) = 1;
  EXPECT_FALSE(eigenvalues(a));
}

TEST(BallEigenvalues, refuse_a_matrix_that_is_not_square) {
  EXPECT_THROW(eigenvalues(BallMatrix(2, 3)), std::invalid_argument);
}

}  // namespace
}  // namespace attest::rigor
