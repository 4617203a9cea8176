#include "theorems/primal_dual/convolution.hpp"

#include <gtest/gtest.h>

namespace attest::primal_dual {
namespace {

using Vector = std::vector<double>;

TEST(Convolution, of_a_grid_takes_the_kernel_to_the_right_and_below_and_pads_with_zeros) {
  // 1 2 3 in the first row, 4 5 6 in the second; kernel [1 10; 100 1000] at a pixel and its neighbours.
  const Vector tokens{1, 2, 3, 4, 5, 6};
  const Vector kernel{1, 10, 100, 1000};
  EXPECT_EQ(convolved<double>(tokens, Grid{2, 3}, 1, kernel, 2), (Vector{5421, 6532, 603, 54, 65, 6}));
}

TEST(Convolution, of_odd_size_is_centred) {
  const Vector kernel{0, 1, 0, 0, 10, 0, 0, 100, 0};
  EXPECT_EQ(convolved<double>(Vector{1, 2, 3}, Grid{3, 1}, 1, kernel, 3), (Vector{210, 321, 32}));
}

TEST(Convolution, treats_features_apart_with_one_kernel_or_with_theirs) {
  const Vector tokens{1, 10, 2, 20};  // two tokens in a row with two features
  EXPECT_EQ(convolved<double>(tokens, Grid{1, 2}, 2, Vector{1, 1, 0, 0}, 2), (Vector{3, 30, 2, 20}));
  EXPECT_EQ(convolved<double>(tokens, Grid{1, 2}, 2, Vector{1, 1, 0, 0, 2, 0, 0, 0}, 2), (Vector{3, 20, 2, 40}));
}

}  // namespace
}  // namespace attest::primal_dual
