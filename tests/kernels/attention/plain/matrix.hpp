// Small dense matrices over any scalar, for the plain formulas: numbers, numbers that count their operations, numbers
// that remember how they were made.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace attest::attention::plain {

using Index = std::int64_t;

/// acc + a b, one multiply-accumulate for scalars that count.
inline double multiply_add(double acc, double a, double b) { return acc + a * b; }
inline double maximum(double a, double b) { return a < b ? b : a; }
inline double square_root(double a) { return std::sqrt(a); }
inline double exponent(double a) { return std::exp(a); }
inline double logarithm(double a) { return std::log(a); }

template <typename S>
struct Matrix {
  Index rows = 0, cols = 0;
  std::vector<S> entries;
  Matrix() = default;
  Matrix(Index r, Index c) : rows(r), cols(c), entries(static_cast<std::size_t>(r * c), S(0)) {}
  S& operator()(Index i, Index j) { return entries[static_cast<std::size_t>(i * cols + j)]; }
  const S& operator()(Index i, Index j) const { return entries[static_cast<std::size_t>(i * cols + j)]; }
};

template <typename S>
Matrix<S> transposed(const Matrix<S>& a) {
  Matrix<S> result(a.cols, a.rows);
  for (Index i = 0; i < a.rows; ++i)
    for (Index j = 0; j < a.cols; ++j) result(j, i) = a(i, j);
  return result;
}

/// c + a b.
template <typename S>
Matrix<S> product_onto(Matrix<S> c, const Matrix<S>& a, const Matrix<S>& b) {
  for (Index i = 0; i < a.rows; ++i)
    for (Index j = 0; j < b.cols; ++j)
      for (Index k = 0; k < a.cols; ++k) c(i, j) = multiply_add(c(i, j), a(i, k), b(k, j));
  return c;
}

template <typename S>
Matrix<S> product(const Matrix<S>& a, const Matrix<S>& b) {
  return product_onto(Matrix<S>(a.rows, b.cols), a, b);
}

/// f(a_ij, b_ij).
template <typename S, typename F>
Matrix<S> combined(const Matrix<S>& a, const Matrix<S>& b, F f) {
  Matrix<S> result(a.rows, a.cols);
  for (std::size_t i = 0; i < a.entries.size(); ++i) result.entries[i] = f(a.entries[i], b.entries[i]);
  return result;
}

template <typename S>
Matrix<S> operator+(const Matrix<S>& a, const Matrix<S>& b) {
  return combined(a, b, [](const S& x, const S& y) { return x + y; });
}
template <typename S>
Matrix<S> operator-(const Matrix<S>& a, const Matrix<S>& b) {
  return combined(a, b, [](const S& x, const S& y) { return x - y; });
}
template <typename S>
Matrix<S> operator*(const Matrix<S>& a, const S& factor) {
  return combined(a, a, [&](const S& x, const S&) { return x * factor; });
}

}  // namespace attest::attention::plain
