#include "kernels/rigor/linear_solve.hpp"

#include <stdexcept>

#include <fmt/core.h>

#if __has_include(<flint/arb_mat.h>)
#include <flint/arb_mat.h>
#else
#include <arb_mat.h>
#endif

namespace attest::rigor {
namespace {

// Owner of an arb_mat_t.
class Matrix {
 public:
  Matrix(std::size_t rows, std::size_t cols) {
    arb_mat_init(value_, static_cast<slong>(rows), static_cast<slong>(cols));
  }
  explicit Matrix(const BallMatrix& from) : Matrix(from.rows, from.cols) {
    for (std::size_t i = 0; i < from.rows; ++i) {
      for (std::size_t j = 0; j < from.cols; ++j) arb_set(at(i, j), from(i, j).raw());
    }
  }
  ~Matrix() { arb_mat_clear(value_); }
  Matrix(const Matrix&) = delete;
  Matrix& operator=(const Matrix&) = delete;

  arb_ptr at(std::size_t i, std::size_t j) {
    return arb_mat_entry(value_, static_cast<slong>(i), static_cast<slong>(j));
  }
  arb_mat_struct* raw() { return value_; }

 private:
  arb_mat_t value_;
};

void check_square(const char* function, const BallMatrix& a) {
  if (a.rows != a.cols) {
    throw std::invalid_argument(fmt::format("{}: the matrix is {} x {}; it must be square", function, a.rows, a.cols));
  }
}

}  // namespace

std::optional<BallVector> solve(const BallMatrix& a, std::span<const Ball> b) {
  check_square("rigor::solve", a);
  if (b.size() != a.rows) {
    throw std::invalid_argument(
        fmt::format("rigor::solve: {} right-hand values for a matrix with {} rows", b.size(), a.rows));
  }
  if (a.rows == 0) return BallVector{};
  Matrix matrix(a);
  Matrix right(a.rows, 1);
  for (std::size_t i = 0; i < b.size(); ++i) arb_set(right.at(i, 0), b[i].raw());
  Matrix solution(a.rows, 1);
  if (arb_mat_solve(solution.raw(), matrix.raw(), right.raw(), working_precision()) == 0) return std::nullopt;
  BallVector x(a.rows);
  for (std::size_t i = 0; i < x.size(); ++i) arb_set(x[i].raw(), solution.at(i, 0));
  return x;
}

std::optional<BallVector> gram_pivots(const BallMatrix& a) {
  check_square("rigor::gram_pivots", a);
  Matrix matrix(a);
  Matrix factor(a.rows, a.rows);
  if (arb_mat_ldl(factor.raw(), matrix.raw(), working_precision()) == 0) return std::nullopt;
  BallVector pivots(a.rows);
  for (std::size_t i = 0; i < pivots.size(); ++i) arb_set(pivots[i].raw(), factor.at(i, i));
  return pivots;
}

}  // namespace attest::rigor
