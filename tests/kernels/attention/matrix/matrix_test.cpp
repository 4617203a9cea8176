#include "kernels/attention/matrix/matrix.hpp"

#include <vector>

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
    for (const Index inner : {1, 7, 33, 130})
      for (const Index columns : {1, 9, 24, 128}) {  // the last: rows a whole number of cache lines apart
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

TEST(Matrix, takes_and_gives_rows_with_gaps_in_either_type) {
  for (const Index columns : {3, 8, 21})
    for (const Index gap : {0, 2}) {
      const Index rows = 4, apart = columns + gap;
      std::vector<float> narrow(static_cast<std::size_t>(rows * apart)), back(narrow.size(), -1);
      for (std::size_t i = 0; i < narrow.size(); ++i) narrow[i] = static_cast<float>(i) / 8;
      Matrix wide(rows, columns);
      load_rows(narrow.data(), apart, rows, columns, wide);
      store_rows(wide, rows, columns, back.data(), apart);
      std::vector<double> in_double(narrow.size(), -1);
      store_rows(wide, rows, columns, in_double.data(), apart);
      for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < apart; ++j) {
          const auto at = static_cast<std::size_t>(i * apart + j);
          ASSERT_EQ(back[at], j < columns ? narrow[at] : -1);
          ASSERT_EQ(in_double[at], j < columns ? static_cast<double>(narrow[at]) : -1);
        }
    }
}

}  // namespace
}  // namespace attest::attention
