// What attention mechanisms as LibTorch operations share: one call's tensors, and the softmax over visible keys.
#pragma once

#include <vector>

#include "kernels/attention/mechanism/option_reader.hpp"
#include "simulations/models/attention_bridge.hpp"

namespace attest::models {

using attention::Index;

/// A generator of LibTorch's for tensors on the device. Its numbers are a function of the seed, and differ between
/// devices.
at::Generator generator_on(const at::Device& device, std::uint64_t seed);

/// One call, unpacked.
struct Operands {
  const AttentionCall& call;
  const ExtraInputs& extra;
  attention::OptionReader read;
  at::Tensor q, k, v;  // [B][H][N][D]
  bool causal = false;
  at::Generator generator = {};  // of dropout; copies draw on

  Index heads() const { return q.size(1); }
  Index tokens() const { return q.size(2); }
  double scale() const { return 1 / std::sqrt(static_cast<double>(q.size(3))); }
  const std::vector<Index>& lengths() const { return call.key_lengths; }

  /// Undefined where it was not given.
  at::Tensor input(const char* name) const;
  /// The learned numbers `name`, or `value`, as [H][1][1] in the type of wide sums.
  at::Tensor per_head(const char* name, double value) const;
};

/// True where query i does not see key j; undefined where all see all. [N][N], or [B][1][1][N] with lengths, or both.
at::Tensor hidden_keys(const Operands& o, Index keys, const std::vector<Index>& lengths, bool causal);

/// q k^T, in the type of wide sums.
at::Tensor products(const at::Tensor& q, const at::Tensor& k);

/// The softmax of [B][H][N][keys] over visible keys, in the type of the values, with dropout; zeros in rows without
/// keys.
at::Tensor attention_weights(const Operands& o, const at::Tensor& logits, const at::Tensor& hidden);

/// attention_weights of q k^T/sqrt(D), with the call's mask.
at::Tensor softmax_matrix(const Operands& o);

}  // namespace attest::models
