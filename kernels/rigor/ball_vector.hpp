// Vectors and small dense matrices of balls.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kernels/rigor/ball.hpp"

namespace attest::rigor {

using BallVector = std::vector<Ball>;

/// A dense matrix, row-major. Every function below that takes two operands throws std::invalid_argument where their
/// shapes do not fit.
struct BallMatrix {
  std::size_t rows = 0;
  std::size_t cols = 0;
  BallVector entries;  ///< rows * cols.

  BallMatrix() = default;
  /// All zero.
  BallMatrix(std::size_t row_count, std::size_t col_count)
      : rows(row_count), cols(col_count), entries(row_count * col_count) {}

  Ball& operator()(std::size_t row, std::size_t col) { return entries[row * cols + col]; }
  const Ball& operator()(std::size_t row, std::size_t col) const { return entries[row * cols + col]; }
  std::span<Ball> row(std::size_t i) { return {entries.data() + i * cols, cols}; }
  std::span<const Ball> row(std::size_t i) const { return {entries.data() + i * cols, cols}; }
};

/// The doubles themselves, exactly.
BallVector to_balls(std::span<const double> values);
/// The rows x cols matrix of the doubles themselves, given row by row.
BallMatrix to_balls(std::span<const double> values, std::size_t rows, std::size_t cols);
BallMatrix identity(std::size_t n);

Ball sum(std::span<const Ball> x);
/// sum_i x_i y_i.
Ball dot(std::span<const Ball> x, std::span<const Ball> y);
/// sum_i |x_i|.
Ball norm1(std::span<const Ball> x);
/// sqrt(sum_i x_i^2).
Ball norm2(std::span<const Ball> x);
/// max_i |x_i|; 0 for an empty vector.
Ball norm_inf(std::span<const Ball> x);
BallVector add(std::span<const Ball> x, std::span<const Ball> y);
BallVector subtract(std::span<const Ball> x, std::span<const Ball> y);
/// factor * x.
BallVector scale(const Ball& factor, std::span<const Ball> x);

/// exp(x_i) / sum_j exp(x_j), shifted so that nothing overflows and written so that x_i enters each p_i once.
BallVector softmax(std::span<const Ball> x);
/// log sum_i exp(x_i). Precondition: x is not empty.
Ball log_sum_exp(std::span<const Ball> x);

/// A x.
BallVector multiply(const BallMatrix& a, std::span<const Ball> x);
/// A B.
BallMatrix multiply(const BallMatrix& a, const BallMatrix& b);
BallMatrix add(const BallMatrix& a, const BallMatrix& b);
BallMatrix subtract(const BallMatrix& a, const BallMatrix& b);
BallMatrix scale(const Ball& factor, const BallMatrix& a);
BallMatrix transpose(const BallMatrix& a);
/// sqrt(sum_ij a_ij^2).
Ball frobenius_norm(const BallMatrix& a);

}  // namespace attest::rigor
