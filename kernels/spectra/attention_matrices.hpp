// Attention matrices of several families, with the properties of their spectra.
#pragma once

#include <cstdint>

#include <Eigen/Core>

namespace attest::spectra {

/// exp(q_i . k_j / temperature), row-normalised: A is N x N, A 1 = 1, all entries at least 0. Q and K are N x D.
/// A causal matrix has A_ij = 0 for j > i. Rows are shifted by their largest logit, so nothing overflows.
/// Errors: std::invalid_argument for shapes that differ or a temperature that is not positive.
Eigen::MatrixXd softmax_attention(const Eigen::MatrixXd& q, const Eigen::MatrixXd& k, double temperature,
                                  bool causal = false);

/// W_ij = exp(-|x_i - x_j|^2 / (2 h^2)) for the rows x_i of an N x D matrix: symmetric, ones on the diagonal, positive
/// definite when the rows are distinct. Errors: std::invalid_argument for a bandwidth h that is not positive.
Eigen::MatrixXd gaussian_kernel(const Eigen::MatrixXd& x, double bandwidth);

/// W_ij = exp(x_i . x_j / temperature): symmetric and positive semidefinite (an exponential of a Gram matrix), definite
/// when the rows are distinct. Shifted by the largest logit; the row-normalised matrix does not see the shift.
Eigen::MatrixXd exponential_kernel(const Eigen::MatrixXd& x, double temperature);

/// A = D^-1 W with D = diag(W 1) (Twicing, Eq 11). Errors: std::invalid_argument unless W is square with positive row
/// sums.
Eigen::MatrixXd row_normalised(const Eigen::MatrixXd& w);

/// S = D^-1/2 W D^-1/2 with D = diag(W 1); symmetric with W. Errors: as row_normalised.
Eigen::MatrixXd symmetric_conjugate(const Eigen::MatrixXd& w);

/// Families of attention matrices.
enum class AttentionFamily {
  gaussian_kernel,    ///< D^-1 W, W Gaussian: eigenvalues in (0, 1]
  shared_projection,  ///< W_Q = W_K, temperature sqrt(D): similar to a semidefinite matrix, eigenvalues in [0, 1]
  asymmetric,         ///< W_Q and W_K independent, temperature sqrt(D): complex and negative eigenvalues in the disc
  causal,             ///< asymmetric and causal: triangular, eigenvalues A_ii in (0, 1], often close to defective
  peaked,             ///< asymmetric at a temperature 32 times lower: near a map of tokens to tokens, eigenvalues
                      ///< near roots of unity and 0
  near_uniform,       ///< asymmetric at a temperature 32 times higher: near 1 1^T / N, all but one eigenvalue near 0
};
inline constexpr int attention_family_count = 6;

/// Name of the family as in the enumeration.
const char* name(AttentionFamily family);

/// What a family's attention matrix is made of: weights exp(logit_ij) over the visible keys, row-normalised, with
/// logit_ij = q_i . k_j / temperature, or -|q_i - k_j|^2 / (2 temperature) where `euclidean`.
struct AttentionDraw {
  Eigen::MatrixXd queries;  ///< N x D
  Eigen::MatrixXd keys;     ///< N x D; equal to the queries for the two symmetric families
  double temperature = 1;
  bool causal = false;
  bool euclidean = false;
};

/// Random queries and keys of the family over tokens with D standard normal features and standard normal projections
/// divided by sqrt(D), so that queries and keys have entries of unit variance. A pure function of its arguments.
/// Errors: std::invalid_argument for n or d below 1.
AttentionDraw draw_attention(AttentionFamily family, int n, int d, std::uint64_t seed, std::uint32_t key,
                             std::uint64_t sample);

/// The attention matrix of a draw.
Eigen::MatrixXd attention_matrix(const AttentionDraw& draw);

/// attention_matrix(draw_attention(...)).
Eigen::MatrixXd random_attention(AttentionFamily family, int n, int d, std::uint64_t seed, std::uint32_t key,
                                 std::uint64_t sample);

/// N x D matrix of independent standard normal entries, row by row from the stream (seed, key, sample).
Eigen::MatrixXd random_normal_matrix(int n, int d, std::uint64_t seed, std::uint32_t key, std::uint64_t sample);

}  // namespace attest::spectra
