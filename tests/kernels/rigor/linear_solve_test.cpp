#include "kernels/rigor/linear_solve.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

namespace attest::rigor {
namespace {

TEST(LinearSolve, encloses_the_solution_of_an_ill_conditioned_system) {
  // Hilbert matrix of order 8 (condition 1.5e10) with right side A (1, ..., 1)'.
  constexpr std::size_t n = 8;
  BallMatrix hilbert(n, n);
  BallVector right(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      hilbert(i, j) = Ball::from_rational(1, static_cast<std::int64_t>(i + j + 1));
      right[i] += hilbert(i, j);
    }
  }
  const auto x = solve(hilbert, right);
  ASSERT_TRUE(x.has_value());
  // The condition times n^3 roundings of 128 bits, and a factor of 4 a column: elimination in balls forgets what
  // depends on what.
  constexpr double narrow = 1.5e10 * n * n * n * (1 << (2 * n)) * 0x1p-128;
  for (const Ball& component : *x) {
    EXPECT_TRUE(component.contains(1.0));
    EXPECT_LE(component.radius(), narrow);
  }
}

TEST(LinearSolve, gives_no_answer_for_a_singular_matrix) {
  const BallMatrix singular = to_balls(std::vector<double>{1, 2, 2, 4}, 2, 2);
  EXPECT_FALSE(solve(singular, to_balls(std::vector<double>{1, 2})).has_value());
  EXPECT_FALSE(gram_pivots(singular).has_value());
}

TEST(LinearSolve, finds_the_pivots_of_a_gram_matrix) {
  // Vectors (2, 0) and (1, 3): squared length 4, and squared distance 9 from the first one's line.
  const auto pivots = gram_pivots(to_balls(std::vector<double>{4, 2, 2, 10}, 2, 2));
  ASSERT_TRUE(pivots.has_value());
  EXPECT_TRUE((*pivots)[0].contains(4.0));
  EXPECT_TRUE((*pivots)[1].contains(9.0));
  EXPECT_FALSE(gram_pivots(to_balls(std::vector<double>{1, 2, 2, 1}, 2, 2)).has_value());
}

TEST(LinearSolve, refuses_shapes_that_do_not_fit) {
  EXPECT_THROW(solve(BallMatrix(2, 3), BallVector(2)), std::invalid_argument);
  EXPECT_THROW(solve(BallMatrix(2, 2), BallVector(3)), std::invalid_argument);
  EXPECT_THROW(gram_pivots(BallMatrix(2, 3)), std::invalid_argument);
}

}  // namespace
}  // namespace attest::rigor
