// Matrices of a few rows over doubles or balls: one text for the fast evaluation and for the rigorous one.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "kernels/rigor/ball.hpp"

namespace attest::generic {

using rigor::exp;
using rigor::log;
using rigor::sqrt;
using std::exp;
using std::log;
using std::sqrt;

/// Certainly greater than zero.
inline bool positive(double x) { return x > 0; }
inline bool positive(const rigor::Ball& x) { return x.is_positive(); }

/// A dense matrix, row by row. Precondition of every function below: the shapes fit.
template <class Real>
struct Matrix {
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::vector<Real> entries;

  /// All zero.
  Matrix(std::size_t row_count, std::size_t col_count)
      : rows(row_count), cols(col_count), entries(row_count * col_count, Real(0)) {}

  Real& operator()(std::size_t i, std::size_t j) { return entries[i * cols + j]; }
  const Real& operator()(std::size_t i, std::size_t j) const { return entries[i * cols + j]; }
};

/// diag(d).
template <class Real>
Matrix<Real> diagonal(const std::vector<Real>& d) {
  Matrix<Real> result(d.size(), d.size());
  for (std::size_t i = 0; i < d.size(); ++i) result(i, i) = d[i];
  return result;
}

/// factor I_n.
template <class Real>
Matrix<Real> scaled_identity(std::size_t n, const Real& factor) {
  return diagonal(std::vector<Real>(n, factor));
}

template <class Real>
Matrix<Real> transpose(const Matrix<Real>& a) {
  Matrix<Real> result(a.cols, a.rows);
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t j = 0; j < a.cols; ++j) result(j, i) = a(i, j);
  return result;
}

template <class Real>
Matrix<Real> multiply(const Matrix<Real>& a, const Matrix<Real>& b) {
  Matrix<Real> result(a.rows, b.cols);
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t j = 0; j < b.cols; ++j)
      for (std::size_t k = 0; k < a.cols; ++k) result(i, j) += a(i, k) * b(k, j);
  return result;
}

/// a + factor b.
template <class Real>
Matrix<Real> add(const Matrix<Real>& a, const Matrix<Real>& b, const Real& factor) {
  Matrix<Real> result = a;
  for (std::size_t i = 0; i < a.entries.size(); ++i) result.entries[i] += factor * b.entries[i];
  return result;
}

/// factor a.
template <class Real>
Matrix<Real> scale(const Real& factor, const Matrix<Real>& a) {
  Matrix<Real> result(a.rows, a.cols);
  for (std::size_t i = 0; i < a.entries.size(); ++i) result.entries[i] = factor * a.entries[i];
  return result;
}

/// X X'.
template <class Real>
Matrix<Real> outer_gram(const Matrix<Real>& x) {
  return multiply(x, transpose(x));
}

/// sum_ij a_ij b_ij = tr(A' B).
template <class Real>
Real inner_product(const Matrix<Real>& a, const Matrix<Real>& b) {
  Real total(0);
  for (std::size_t i = 0; i < a.entries.size(); ++i) total += a.entries[i] * b.entries[i];
  return total;
}

template <class Real>
Real trace(const Matrix<Real>& a) {
  Real total(0);
  for (std::size_t i = 0; i < a.rows; ++i) total += a(i, i);
  return total;
}

/// A without row i and column j.
template <class Real>
Matrix<Real> minor_matrix(const Matrix<Real>& a, std::size_t i, std::size_t j) {
  Matrix<Real> result(a.rows - 1, a.cols - 1);
  for (std::size_t r = 0; r < result.rows; ++r)
    for (std::size_t c = 0; c < result.cols; ++c) result(r, c) = a(r < i ? r : r + 1, c < j ? c : c + 1);
  return result;
}

/// det A by expansion along the first row: for a few rows only.
template <class Real>
Real determinant(const Matrix<Real>& a) {
  if (a.rows == 0) return Real(1);
  Real total(0);
  for (std::size_t j = 0; j < a.cols; ++j) {
    const Real term = a(0, j) * determinant(minor_matrix(a, 0, j));
    if (j % 2 == 0) {
      total += term;
    } else {
      total -= term;
    }
  }
  return total;
}

/// A^-1 by cofactors: for a few rows only.
template <class Real>
Matrix<Real> inverse(const Matrix<Real>& a) {
  Matrix<Real> result(a.rows, a.cols);
  const Real det = determinant(a);
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t j = 0; j < a.cols; ++j) {
      const Real cofactor = determinant(minor_matrix(a, i, j)) / det;
      result(j, i) = (i + j) % 2 == 0 ? cofactor : -cofactor;
    }
  return result;
}

/// softmax of every row. Logits of a few tens are meant: nothing is shifted.
template <class Real>
Matrix<Real> softmax_rows(const Matrix<Real>& logits) {
  Matrix<Real> result(logits.rows, logits.cols);
  for (std::size_t i = 0; i < logits.rows; ++i) {
    Real total(0);
    for (std::size_t j = 0; j < logits.cols; ++j) total += result(i, j) = exp(logits(i, j));
    for (std::size_t j = 0; j < logits.cols; ++j) result(i, j) /= total;
  }
  return result;
}

}  // namespace attest::generic
