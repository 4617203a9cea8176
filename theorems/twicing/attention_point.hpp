// Points at which the statements on attention matrices are evaluated: queries and keys, and the matrices made of them.
#pragma once

#include <cstdint>
#include <span>

#include <Eigen/Core>

#include "kernels/rigor/ball_vector.hpp"
#include "kernels/spectra/attention_matrices.hpp"
#include "theorems/engine/inputs.hpp"

namespace attest::twicing {

/// Size and kind of the attention matrices of one check. Weights are W_ij = exp(q_i . k_j / temperature), or
/// exp(-|q_i - k_j|^2 / (2 temperature)) where `euclidean`; the temperature is sqrt(D) unless the inputs hold one.
struct AttentionShape {
  int tokens = 2;
  int features = 1;
  bool shared = false;  ///< W_Q = W_K, so that k_j = q_j and W is symmetric
  bool causal = false;  ///< W_ij = 0 for j > i
  bool euclidean = false;
};

/// Number of coordinates of the queries and keys of that shape.
std::size_t coordinates(const AttentionShape& shape);

/// Inputs "q" (N D numbers) and, unless shared, "k", from the first coordinates(shape) of x.
engine::Inputs queries_and_keys(std::span<const double> x, const AttentionShape& shape);

/// Inputs "q", "k" (unless the family's are equal) and "temperature" of a random member of a family.
engine::Inputs family_inputs(spectra::AttentionFamily family, int tokens, int features, std::uint64_t sample);

/// The shape of a family's members.
AttentionShape family_shape(spectra::AttentionFamily family, int tokens, int features);

/// W and A = D^-1 W in double precision.
Eigen::MatrixXd weights(const engine::Inputs& inputs, const AttentionShape& shape);
Eigen::MatrixXd attention(const engine::Inputs& inputs, const AttentionShape& shape);

/// W and A = D^-1 W as enclosures, from the formulas of Twicing, Eqs 8-11.
/// Errors: std::invalid_argument where the inputs do not fit the shape.
rigor::BallMatrix ball_weights(const engine::Inputs& inputs, const AttentionShape& shape);
rigor::BallMatrix ball_attention(const engine::Inputs& inputs, const AttentionShape& shape);

/// D_ii = sum_j W_ij, and D^-1 W.
rigor::BallVector row_sums(const rigor::BallMatrix& w);
rigor::BallMatrix row_normalised(const rigor::BallMatrix& w);

/// True when no two of the N rows of "q" are equal.
bool rows_distinct(const engine::Inputs& inputs, const AttentionShape& shape);

}  // namespace attest::twicing
