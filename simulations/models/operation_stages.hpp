// What attention mechanisms do with queries, keys and values before they meet, as LibTorch operations.
#pragma once

#include <vector>

#include "kernels/attention/stages/pool.hpp"
#include "simulations/models/torch.hpp"

namespace attest::models {

using attention::Index;

/// x in a type that sums keep their digits in: float for the half types, else its own.
at::Tensor wide(const at::Tensor& x);

/// Numbers of the host as a tensor of this shape beside `like`, in its type (double where it is not floating).
at::Tensor beside(const at::Tensor& like, const std::vector<double>& numbers, at::IntArrayRef shape);

/// [B][1][N][1]: 1 for token n < lengths[b], else 0, in the type of `like`; undefined without lengths.
at::Tensor real_tokens(const at::Tensor& like, const std::vector<Index>& lengths, Index tokens);

/// x [B][H][N][D] with zeros after each sequence's length; x itself without lengths.
at::Tensor cut(const at::Tensor& x, const std::vector<Index>& lengths);

/// attention::average_pool of x [B][H][N][D].
at::Tensor average_pooled(const at::Tensor& x, Index factor, attention::Remainder remainder,
                          const std::vector<Index>& lengths);

/// Queries and keys as attention::recentre gives them.
struct RecentredPair {
  at::Tensor q, k;
};
struct Recentring {
  bool normalised = true;
  double epsilon = 1e-5;
  bool prefix = false;
  std::vector<Index> key_lengths = {};
};
/// `beta` is one number per head, [H][1][1]. Where it divides by variances or runs over prefixes the result is in
/// double: over few keys the logits are large, and float would lose what the softmax depends on.
RecentredPair recentred(const at::Tensor& q, const at::Tensor& k, const at::Tensor& beta, const Recentring& how);

/// Where convolved tokens lie: attention::ConvolutionGrid without lengths.
struct Grid {
  Index rows = 1, columns = 1, first = 0;
  bool causal = false;
};
/// attention::convolve of x [B][H][N][D] with kernel [H][s] or [H][s][s].
at::Tensor convolved(const at::Tensor& x, const at::Tensor& kernel, const Grid& grid);

/// [B][1][m][N] (one for all sequences without lengths): row r holds the weights of the mean over segment r of the
/// sequence's real tokens (attention::nystrom_attend), zeros for a sequence with fewer than r + 1 landmarks.
at::Tensor segment_means(const at::Tensor& like, const std::vector<Index>& lengths, Index tokens, Index landmarks);

/// attention::relevance of values [B][H][N][D]: the metric of elliptical attention.
struct Relevance {
  enum Divisor { max, mean, none } divisor = max;
  double delta = 1;
  bool prefix = false;
  std::vector<Index> lengths = {};
};
at::Tensor relevance_of(const at::Tensor& v, const at::Tensor& previous, const Relevance& how);

}  // namespace attest::models
