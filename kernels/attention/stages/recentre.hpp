// Queries and keys recentred by the statistics of the keys: batch normalisation inside attention.
#pragma once

#include <vector>

#include "kernels/attention/tensor.hpp"

namespace attest::attention {

struct RecentreOptions {
  bool normalised = true;               ///< divide by the standard deviation too
  double epsilon = 1e-5;                ///< added to the variance, above 0
  std::vector<Index> key_lengths = {};  ///< [B]: the statistics run over keys 0..length-1; empty: over all
  bool prefix = false;                  ///< the statistics of query i run over keys 0..i: see `recentre`
};

template <typename T>
struct Recentred {
  Tensor<T> q, k;
  Tensor<double> mean, inverse;  ///< [B][H][D], [B][H][N_q][D] with `prefix`: mu, and s^-1 (1 when not normalised)
};

/// q' = (q - beta_h mu) s^-1 and k' = (k - beta_h mu) s^-1, entry by entry, with mu and sigma^2 the mean and the biased
/// variance of the keys of one sequence and head, s^-1 = 1/sqrt(sigma^2 + epsilon), or 1 when not normalised
/// ("A Primal-Dual Framework for Transformers and Neural Networks", Eq 22, 23 for beta = 1, Eq 26 when not normalised).
///
/// With `prefix` the statistics of query i are those of the keys 0..min(i, N_k - 1) it may see under a causal mask, for
/// its own and for its keys' part of the dot product. In a softmax over the keys of one query what is equal for all of
/// them cancels, (q_i - beta mu_i) s_i^-1 . (k_j - beta mu_i) s_i^-1 = (q_i - beta mu_i) s_i^-2 . k_j + constant, so
/// that q' = (q_i - beta mu_i) s_i^-2 and k' = k: one attention, O(N).
///
/// q [B][H][N_q][D], k [B][H][N_k][D], beta [H]. A sequence of length 0 has mean 0 and variance 0. Sums are in double.
/// Errors: std::invalid_argument when epsilon is not above 0. Precondition: extents fit. T is float or double.
template <typename T>
Recentred<T> recentre(const Tensor<T>& q, const Tensor<T>& k, const std::vector<T>& beta,
                      const RecentreOptions& options);

template <typename T>
struct RecentreGradients {
  Tensor<T> q, k;
  std::vector<T> beta;  ///< [H]
};

/// Gradients of sum(q' * dq) + sum(k' * dk), through the mean and the variance.
template <typename T>
RecentreGradients<T> recentre_backward(const Tensor<T>& q, const Tensor<T>& k, const std::vector<T>& beta,
                                       const RecentreOptions& options, const Recentred<T>& recentred,
                                       const Tensor<T>& dq, const Tensor<T>& dk);

}  // namespace attest::attention
