#include "kernels/attention/matrix/matrix.hpp"

#include <gtest/gtest.h>

namespace attest::attention {
namespace {

/// Small whole numbers, so that sums are exact.
Matrix filled(Index rows, Index columns, int seed) {
  Matrix m(rows, columns);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < columns; ++j) m.at(i)[j] = static_cast<double>((7 * i + 3 * j + seed) % 11 - 5);
  return m;
}

TEST(Matrix, multiplies_as_its_formula_says) {
  for (const Index rows : {1, 5, 64})
    for (const Index inner : {1, 7, 33})
      for (const Index columns : {1, 9, 24}) {
        const Matrix a = filled(rows, inner, 1), b = filled(inner, columns, 2);
        Matrix turned(inner, rows), c = filled(rows, columns, 3), onto = c;
        turn(a, rows, inner, turned);
        multiply(rows, inner, a, Turned::no, b.at(0), b.row, c.at(0), Onto::nothing);
        multiply(rows, inner, turned, Turned::yes, b.at(0), b.row, onto.at(0), Onto::what_is_there);
        for (Index i = 0; i < rows; ++i)
          for (Index j = 0; j < columns; ++j) {
            double sum = 0;
            for (Index l = 0; l < inner; ++l) sum += a.at(i)[l] * b.at(l)[j];
            ASSERT_EQ(c.at(i)[j], sum);
            ASSERT_EQ(onto.at(i)[j], filled(rows, columns, 3).at(i)[j] + sum);
          }
      }
}

}  // namespace
}  // namespace attest::attention
