#include "kernels/generic/small_matrix.hpp"

#include <gtest/gtest.h>

namespace attest::generic {
namespace {

using rigor::Ball;

Matrix<Ball> hilbert(std::size_t n) {
  Matrix<Ball> a(n, n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) a(i, j) = Ball::from_rational(1, static_cast<std::int64_t>(i + j + 1));
  return a;
}

TEST(SmallMatrix, determinant_of_the_hilbert_matrix) {
  EXPECT_TRUE(overlaps(determinant(hilbert(3)), Ball::from_rational(1, 2160)));
  EXPECT_TRUE(overlaps(determinant(hilbert(4)), Ball::from_rational(1, 6048000)));
  EXPECT_GT(determinant(hilbert(4)).relative_accuracy_bits(), 80);
}

TEST(SmallMatrix, inverse_of_the_hilbert_matrix_has_its_known_integers) {
  const auto inverted = inverse(hilbert(3));
  const double expected[] = {9, -36, 30, -36, 192, -180, 30, -180, 180};
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_TRUE(inverted.entries[i].contains(expected[i])) << i;
    EXPECT_GT(inverted.entries[i].relative_accuracy_bits(), 80) << i;
  }
}

TEST(SmallMatrix, doubles_and_balls_agree) {
  Matrix<double> a(3, 3);
  a.entries = {2, -1, 0.5, -1, 3, 0.25, 0.5, 0.25, 1};
  Matrix<Ball> b(3, 3);
  b.entries.assign(a.entries.begin(), a.entries.end());
  constexpr double unit_roundoff = 0x1p-53;
  constexpr double largest = 10.25;  // a'a, the largest of the entries below
  // At most twenty operations on numbers of that size (an inverse's minors, and a determinant above 4).
  constexpr double rounding = 20 * largest * unit_roundoff;
  const auto close = [](const Matrix<double>& x, const Matrix<Ball>& y) {
    for (std::size_t i = 0; i < x.entries.size(); ++i) EXPECT_NEAR(x.entries[i], y.entries[i].mid(), rounding);
  };
  close(inverse(a), inverse(b));
  close(softmax_rows(a), softmax_rows(b));
  close(outer_gram(transpose(a)), outer_gram(transpose(b)));
  EXPECT_NEAR(trace(multiply(a, a)), inner_product(b, transpose(b)).mid(), rounding);
}

TEST(SmallMatrix, rows_of_the_softmax_sum_to_one) {
  Matrix<Ball> logits(2, 3);
  logits.entries = {1, 2, 3, -30, 0, 30};
  const auto a = softmax_rows(logits);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_TRUE((a(i, 0) + a(i, 1) + a(i, 2)).contains(1));
}

}  // namespace
}  // namespace attest::generic
