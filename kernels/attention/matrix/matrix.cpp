#include "kernels/attention/matrix/matrix.hpp"

#include <algorithm>
#include <type_traits>

#include "kernels/attention/attend/tile_operations.hpp"

namespace attest::attention {
namespace {

/// Eight at a time, so that rows of a few registers need no loop for what is left.
template <typename To, typename From>
void convert(const From* from, Index count, To* to) {
  if constexpr (std::is_same_v<To, From>) {
    std::copy_n(from, count, to);
  } else {
    Index i = 0;
    for (; i + 8 <= count; i += 8)
      for (Index part = 0; part < 8; ++part) to[i + part] = static_cast<To>(from[i + part]);
    for (; i < count; ++i) to[i] = static_cast<To>(from[i]);
  }
}

}  // namespace

Matrix::Matrix(Index rows, Index columns)
    : row(padded<double>(columns)), entries(static_cast<std::size_t>(rows * row), 0.0) {}

void multiply(Index rows, Index inner, const Matrix& a, Turned turned, const double* b, Index columns, double* c,
              Onto onto) {
  multiply(rows, inner, a, turned, b, columns, columns, c, onto);
}

void multiply(Index rows, Index inner, const Matrix& a, Turned turned, const double* b, Index columns, Index apart,
              double* c, Onto onto) {
  using Product = TileProduct<double>;
  if (rows == 0) return;
  tile_operations<double>().back()->product(
      {.rows = rows,
       .columns = columns,
       .inner = inner,
       .a = a.entries.data(),
       .a_row = turned == Turned::yes ? 1 : a.row,
       .a_inner = turned == Turned::yes ? a.row : 1,
       .b = b,
       .b_row = apart,
       .c = c,
       .c_row = apart,
       .keep = onto == Onto::what_is_there ? Product::Keep::all : Product::Keep::nothing});
}

void turn(const Matrix& from, Index rows, Index columns, Matrix& to) {
  tile_operations<double>().back()->transpose(from.entries.data(), from.row, rows, columns, 1.0, to.entries.data(),
                                              to.row);
}

template <typename T>
void load_rows(const T* from, Index from_row, Index rows, Index columns, Matrix& to) {
  if (from_row == columns && to.row == columns) return convert(from, rows * columns, to.at(0));
  for (Index i = 0; i < rows; ++i) convert(from + i * from_row, columns, to.at(i));
}

template <typename T>
void store_rows(const Matrix& from, Index rows, Index columns, T* to, Index to_row) {
  if (from.row == columns && to_row == columns) return convert(from.at(0), rows * columns, to);
  for (Index i = 0; i < rows; ++i) convert(from.at(i), columns, to + i * to_row);
}

template void load_rows(const float*, Index, Index, Index, Matrix&);
template void load_rows(const double*, Index, Index, Index, Matrix&);
template void store_rows(const Matrix&, Index, Index, float*, Index);
template void store_rows(const Matrix&, Index, Index, double*, Index);

}  // namespace attest::attention
