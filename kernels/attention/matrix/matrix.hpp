// Matrices in double whose products the attention tiles' instructions form.
#pragma once

#include <vector>

#include "kernels/attention/tensor.hpp"

namespace attest::attention {

/// Rows of numbers, zero at first, each filled up with zeros to whole registers.
struct Matrix {
  Matrix(Index rows, Index columns);
  double* at(Index i) { return entries.data() + i * row; }
  const double* at(Index i) const { return entries.data() + i * row; }

  Index row;  ///< from one row to the next, the least whole number of registers that holds the columns
  std::vector<double> entries;
};

enum class Turned { no, yes };
enum class Onto { nothing, what_is_there };

/// C = A B, or C += A B: A is [rows][inner], or [inner][rows] where it is `turned`; B [inner][b.row] and C
/// [rows][b.row] start at `b` and `c` and have rows of `columns` entries, a whole number of registers. Sums go by
/// `inner` in order, with fused multiply-adds; bits do not depend on the instructions.
void multiply(Index rows, Index inner, const Matrix& a, Turned turned, const double* b, Index columns, double* c,
              Onto onto);

/// The same for the first `columns` entries of rows that lie `apart` in B and C.
void multiply(Index rows, Index inner, const Matrix& a, Turned turned, const double* b, Index columns, Index apart,
              double* c, Onto onto);

/// to = from^T for `rows` rows of `columns` entries; what else `to` holds stays.
void turn(const Matrix& from, Index rows, Index columns, Matrix& to);

/// Rows of `columns` numbers that lie `from_row` apart, in double: the first `rows` rows of `to`. T is float or double.
template <typename T>
void load_rows(const T* from, Index from_row, Index rows, Index columns, Matrix& to);
/// The first `rows` rows of `from`, rounded to T, to rows of `columns` numbers that lie `to_row` apart.
template <typename T>
void store_rows(const Matrix& from, Index rows, Index columns, T* to, Index to_row);

}  // namespace attest::attention
