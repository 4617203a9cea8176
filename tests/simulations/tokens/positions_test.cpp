#include "simulations/tokens/positions.hpp"

#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

namespace attest::tokens {
namespace {

TEST(SinusoidalPositions, interleave_sine_and_cosine_from_position_zero) {
  const Eigen::MatrixXd positions = sinusoidal_positions(3, 4);
  EXPECT_TRUE(positions.row(0).isApprox(Eigen::RowVector4d(0, 1, 0, 1)));
  EXPECT_DOUBLE_EQ(positions(2, 0), std::sin(2.0));
  EXPECT_DOUBLE_EQ(positions(2, 1), std::cos(2.0));
  EXPECT_DOUBLE_EQ(positions(2, 2), std::sin(0.02));  // T^(2/4) = 100
  EXPECT_DOUBLE_EQ(positions(2, 3), std::cos(0.02));
}

TEST(SinusoidalPositions, have_squared_length_half_the_features) {
  const Eigen::MatrixXd positions = sinusoidal_positions(50, 16);
  for (Eigen::Index i = 0; i < 50; ++i) EXPECT_NEAR(positions.row(i).squaredNorm(), 8, 16 * 0x1p-50);
}

TEST(SinusoidalPositions, need_an_even_number_of_features) {
  EXPECT_THROW(sinusoidal_positions(3, 5), std::invalid_argument);
  EXPECT_THROW(sinusoidal_positions(3, 0), std::invalid_argument);
  EXPECT_THROW(sinusoidal_positions(0, 4), std::invalid_argument);
}

}  // namespace
}  // namespace attest::tokens
