// The attention layers that the boosting paper's statements about depth are tried on.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kernels/rigor/ball_vector.hpp"

namespace attest::boosting {

/// How two tokens are compared: y_i . y_j / sqrt(d) (Theorem 3.1 of "Revisiting Transformers with Insights from Image
/// Filtering and Boosting", without positions), or -|y_i - y_j|^2 / h_y^2 with h_y^2 = 2 sqrt(d) (its Eq 2.14).
enum class Similarity { dot_product, euclidean };

/// f(Y)_i = sum_j softmax_j(s_ij) y_j for tokens y_1, ..., y_N of d features, row by row; W_Q = W_K = W_V = I.
std::vector<double> attend(std::span<const double> tokens, std::size_t features, Similarity similarity);
/// The same in ball arithmetic.
rigor::BallMatrix attend(const rigor::BallMatrix& tokens, Similarity similarity);

}  // namespace attest::boosting
