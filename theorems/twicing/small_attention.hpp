// Attention matrices of a few tokens, in double precision and in balls, as statements about 2A - A^2 are searched over
// them.
#pragma once

#include <span>
#include <vector>

#include "kernels/rigor/ball_vector.hpp"

namespace attest::twicing {

/// softmax over j of q_i . k_j / scale: row-major [n][n], queries and keys [n][width] row by row, n = queries / width.
std::vector<double> attention_matrix(std::span<const double> queries, std::span<const double> keys, std::size_t width,
                                     double scale);
rigor::BallMatrix attention_matrix(std::span<const double> queries, std::span<const double> keys, std::size_t width,
                                   const rigor::Ball& scale);

/// A v for a row-major square matrix.
std::vector<double> multiply(const std::vector<double>& matrix, std::span<const double> v);

/// (2A - A^2) v = A v + A (v - A v).
std::vector<double> twiced(const std::vector<double>& matrix, std::span<const double> v);

/// The same from the matrix 2A - A^2 itself: the independent path.
rigor::BallVector twiced(const rigor::BallMatrix& matrix, const rigor::BallVector& v);

/// 2A - A^2.
rigor::BallMatrix twicing_matrix(const rigor::BallMatrix& matrix);

/// D_i = sum_j exp(q_i . k_j/scale): the degrees that make D^{1/2} A D^{-1/2} symmetric when queries are keys.
std::vector<double> degrees(std::span<const double> queries, std::span<const double> keys, std::size_t width,
                            double scale);
rigor::BallVector degrees(std::span<const double> queries, std::span<const double> keys, std::size_t width,
                          const rigor::Ball& scale);

/// sum_i w_i v_i^2.
double weighted_square(std::span<const double> weights, std::span<const double> v);
rigor::Ball weighted_square(std::span<const rigor::Ball> weights, std::span<const rigor::Ball> v);

}  // namespace attest::twicing
