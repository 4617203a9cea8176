#include "kernels/attention/matrix/matrix.hpp"

#include "kernels/attention/attend/tile_operations.hpp"

namespace attest::attention {

Matrix::Matrix(Index rows, Index columns)
    : row(padded<double>(columns)), entries(static_cast<std::size_t>(rows * row), 0.0) {}

void multiply(Index rows, Index inner, const Matrix& a, Turned turned, const double* b, Index columns, double* c,
              Onto onto) {
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
       .b_row = columns,
       .c = c,
       .c_row = columns,
       .keep = onto == Onto::what_is_there ? Product::Keep::all : Product::Keep::nothing});
}

void turn(const Matrix& from, Index rows, Index columns, Matrix& to) {
  tile_operations<double>().back()->transpose(from.entries.data(), from.row, rows, columns, 1.0, to.entries.data(),
                                              to.row);
}

}  // namespace attest::attention
