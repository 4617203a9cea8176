// Softmax attention of a few tokens: matrices and outputs, by the library's mechanisms in double precision and by
// formulas of their own in balls.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kernels/rigor/ball_vector.hpp"

namespace attest::mechanisms {

/// How a query is compared with a key: q . k / temperature, or -|q - k|^2 / (2 temperature).
enum class Similarity { dot_product, euclidean };

struct Weighting {
  Similarity similarity = Similarity::dot_product;
  bool causal = false;  ///< query i sees keys 0..i
};

/// A = softmax of the similarities, row by row: row-major [N_q][N_k] for queries and keys [N][width] row by row.
/// `softmax` or `kernel-regression` of the library with values I.
std::vector<double> attention_matrix(std::span<const double> queries, std::span<const double> keys, std::size_t width,
                                     double temperature, Weighting weighting = {});
/// The same as enclosures.
rigor::BallMatrix attention_matrix(const rigor::BallMatrix& queries, const rigor::BallMatrix& keys,
                                   const rigor::Ball& temperature, Weighting weighting = {});
rigor::BallMatrix attention_matrix(std::span<const double> queries, std::span<const double> keys, std::size_t width,
                                   const rigor::Ball& temperature);

/// sum_j A_ij v_j with A of the queries and keys `compared` [N][width] and the temperature sqrt(width); values
/// [N][width].
std::vector<double> attend(std::span<const double> compared, std::span<const double> values, std::size_t width,
                           Similarity similarity = Similarity::dot_product);
rigor::BallMatrix attend(const rigor::BallMatrix& compared, const rigor::BallMatrix& values,
                         Similarity similarity = Similarity::dot_product);
/// The same for values that are the compared tokens: self-attention with W_Q = W_K = W_V = I.
inline std::vector<double> attend(std::span<const double> tokens, std::size_t width, Similarity similarity) {
  return attend(tokens, tokens, width, similarity);
}
inline rigor::BallMatrix attend(const rigor::BallMatrix& tokens, Similarity similarity) {
  return attend(tokens, tokens, similarity);
}

/// (2A - A^2) v for one number per token, by the library's `twicing`.
std::vector<double> twiced(std::span<const double> queries, std::span<const double> keys, std::size_t width,
                           double temperature, std::span<const double> v);
/// The same from the matrix 2A - A^2 itself: the independent path.
rigor::BallVector twiced(const rigor::BallMatrix& matrix, const rigor::BallVector& v);

/// 2A - A^2, row-major, as `twicing` of the values I.
std::vector<double> twicing_matrix(std::span<const double> queries, std::span<const double> keys, std::size_t width,
                                   double temperature);
rigor::BallMatrix twicing_matrix(const rigor::BallMatrix& matrix);

/// A v for a row-major square matrix.
std::vector<double> multiply(const std::vector<double>& matrix, std::span<const double> v);

}  // namespace attest::mechanisms
