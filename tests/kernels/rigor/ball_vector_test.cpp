#include "kernels/rigor/ball_vector.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

namespace attest::rigor {
namespace {

std::vector<double> midpoints(const std::vector<Ball>& values) {
  std::vector<double> result;
  for (const Ball& value : values) result.push_back(value.mid());
  return result;
}

TEST(BallVector, norms_and_products_of_small_integers_are_exact) {
  const BallVector x = to_balls(std::vector<double>{3, -4, 0});
  const BallVector y = to_balls(std::vector<double>{1, 2, 5});
  EXPECT_EQ(dot(x, y).mid(), -5);
  EXPECT_TRUE(dot(x, y).is_exact());
  EXPECT_EQ(sum(x).mid(), -1);
  EXPECT_EQ(norm1(x).mid(), 7);
  EXPECT_EQ(norm2(x).mid(), 5);
  EXPECT_EQ(norm_inf(x).mid(), 4);
  EXPECT_EQ(midpoints(add(x, y)), (std::vector<double>{4, -2, 5}));
  EXPECT_EQ(midpoints(subtract(x, y)), (std::vector<double>{2, -6, -5}));
  EXPECT_EQ(midpoints(scale(2, x)), (std::vector<double>{6, -8, 0}));
}

TEST(BallVector, softmax_is_exact_where_it_is_known) {
  const BallVector p = softmax(BallVector{Ball(0), log(Ball(2)), log(Ball(5))});
  for (const auto& [value, numerator] : {std::pair{p[0], 1}, std::pair{p[1], 2}, std::pair{p[2], 5}}) {
    EXPECT_TRUE(overlaps(value, Ball::from_rational(numerator, 8)));
    EXPECT_GT(value.relative_accuracy_bits(), 110);
  }
  EXPECT_TRUE(sum(p).contains(1.0));
}

TEST(BallVector, softmax_neither_overflows_nor_loses_small_weights) {
  const BallVector p = softmax(BallVector{Ball(100'000), Ball(0)});
  EXPECT_TRUE(p[0].is_finite());
  EXPECT_TRUE(p[1].is_positive());
  EXPECT_GT(p[1].relative_accuracy_bits(), 90);
  EXPECT_TRUE(overlaps(log_sum_exp(BallVector{Ball(100'000), Ball(100'000)}), Ball(100'000) + log(Ball(2))));
}

TEST(BallVector, softmax_of_intervals_is_tight_in_each_logit_of_its_own) {
  // One free logit: p_0 = 1 / (1 + e^-x) on x in [-1, 1] is [0.2689, 0.7311].
  const BallVector p = softmax(BallVector{Ball::hull(-1, 1), Ball(0)});
  constexpr double radius_rounding = 8 * 0x1p-30;  // of 30 bits, a few times in the exponential and the quotient
  EXPECT_NEAR(p[0].lower(), 0.26894142136999512, radius_rounding);
  EXPECT_NEAR(p[0].upper(), 0.73105857863000488, radius_rounding);
}

TEST(BallVector, softmax_stays_between_0_and_1_however_wide_the_logits_are) {
  for (const Ball& p : softmax(BallVector{Ball::hull(400, 2048), Ball::hull(-2048, -400), Ball::hull(-1, 1)})) {
    ASSERT_TRUE(p.is_finite());
    EXPECT_TRUE(certainly_less_equal(p, Ball(1.01)) && certainly_less_equal(Ball(-0.01), p)) << p.to_string();
  }
}

TEST(BallMatrix, products_of_small_integers_are_exact) {
  const BallMatrix a = to_balls(std::vector<double>{1, 2, 3, 4, 5, 6}, 2, 3);
  const BallMatrix b = transpose(a);
  EXPECT_EQ(midpoints(multiply(a, b).entries), (std::vector<double>{14, 32, 32, 77}));
  EXPECT_EQ(midpoints(multiply(a, to_balls(std::vector<double>{1, 0, -1}))), (std::vector<double>{-2, -2}));
  EXPECT_EQ(midpoints(multiply(identity(2), a).entries), midpoints(a.entries));
  EXPECT_EQ(frobenius_norm(subtract(a, a)).upper(), 0);
  EXPECT_TRUE(overlaps(frobenius_norm(add(a, scale(-1, a))), Ball(0)));
  EXPECT_TRUE(overlaps(square(frobenius_norm(a)), Ball(91)));
  EXPECT_EQ(b.rows, 3U);
  EXPECT_EQ(b(2, 1).mid(), 6);
}

TEST(BallMatrix, refuses_shapes_that_do_not_fit) {
  const BallMatrix a(2, 3);
  EXPECT_THROW(multiply(a, a), std::invalid_argument);
  EXPECT_THROW(add(a, transpose(a)), std::invalid_argument);
  EXPECT_THROW(to_balls(std::vector<double>{1, 2, 3}, 2, 2), std::invalid_argument);
  EXPECT_THROW(dot(BallVector(2), BallVector(3)), std::invalid_argument);
  EXPECT_THROW(log_sum_exp(BallVector{}), std::invalid_argument);
}

}  // namespace
}  // namespace attest::rigor
