// Attention that pools and recentres keys, in its three families, as LibTorch operations.
#pragma once

#include "simulations/models/operands.hpp"

namespace attest::models {

/// The mechanisms of kernels/attention/mechanism/staged.hpp.
struct Staged {
  enum class Family { softmax, linear, sparse } family;
  bool pools = false;
  enum Recentres { none, full, simplified, either } recentres = none;
};

at::Tensor staged_attention(const Operands& o, const Staged& stages);

/// Linear attention's weights phi(q).phi(k) over the keys before each length, applied to values: by sums over all keys,
/// or under a causal mask by the N x N array.
at::Tensor linear_attention(const Operands& o, const at::Tensor& queries, const at::Tensor& keys, const at::Tensor& v,
                            double epsilon, const std::vector<Index>& lengths);

}  // namespace attest::models
