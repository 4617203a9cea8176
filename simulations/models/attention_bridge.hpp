// The attention library inside LibTorch's autograd graph.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "kernels/attention/mechanism/mechanism.hpp"
#include "simulations/models/torch.hpp"

namespace attest::models {

/// A mechanism and how it is called.
struct AttentionCall {
  const attention::Mechanism* mechanism = nullptr;
  attention::Settings settings;
  bool causal = false;
  std::vector<attention::Index> key_lengths = {};  ///< [B]; empty: every token is a key
  attention::Dropout dropout = {};
  /// Of fused_attention alone: [1] (int64) on the device, added to dropout.seed; undefined: 0.
  at::Tensor added_seed = {};
};

/// Inputs by the mechanism's names besides q, k and v; a "q" or "k" of [B][H][N][any] stands for the packed ones.
using ExtraInputs = std::vector<std::pair<std::string, at::Tensor>>;

/// Attention of packed projections: `qkv` [B][N][3 C] holds for every token its query, key and value, channel h D + d
/// of each being feature d of head h. Gives [B][N][C]. float32 or float64, on the CPU, on the calling thread alone.
///
/// Softmax and twicing read and write LibTorch's memory in place (kernels/attention/attend/attend_view.hpp); other
/// mechanisms go through `attention::evaluate`, which copies each array once. Gradients reach `qkv` and every extra
/// input that wants one. Errors: std::invalid_argument as `evaluate`.
at::Tensor attend_packed(const AttentionCall& call, const at::Tensor& qkv, attention::Index heads,
                         const ExtraInputs& extra = {});

/// Part 0 (queries), 1 (keys) or 2 (values) of what `qkv` packs, as [B][H][N][D], on its memory.
at::Tensor unpacked(const at::Tensor& qkv, attention::Index heads, attention::Index part);

/// Whether the layer is one matrix per head that acts on the values alone: neither a mechanism that is none, nor one
/// after the first layer that takes other layers' values.
bool is_matrix(const AttentionCall& call, const ExtraInputs& extra);

/// What each token takes from each: the mechanism applied to values e_1, ..., e_N, [B][H][N][N]. The softmax matrix A
/// for softmax attention, 2A - A^2 for twicing, A - I for graph diffusion; without dropout and without gradients.
/// Errors: as attend_packed; std::invalid_argument unless is_matrix.
at::Tensor attention_matrix(const AttentionCall& call, const at::Tensor& qkv, attention::Index heads,
                            const ExtraInputs& extra);

}  // namespace attest::models
