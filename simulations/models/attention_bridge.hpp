// The attention library inside LibTorch's autograd graph.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "kernels/attention/mechanism.hpp"
#include "simulations/models/torch.hpp"

namespace attest::training {

/// A mechanism and how it is called; what does not change from batch to batch.
struct AttentionCall {
  const attention::Mechanism* mechanism = nullptr;
  attention::Settings settings;
  bool causal = false;
  attention::Dropout dropout;
};

/// Inputs by the mechanism's names besides q, k and v.
using ExtraInputs = std::vector<std::pair<std::string, at::Tensor>>;

/// Attention of packed projections: `qkv` [B][N][3 C] holds for every token its query, key and value, channel h D + d
/// of each being feature d of head h. Gives [B][N][C]. float32 or float64, on the CPU, on the calling thread alone.
///
/// Softmax and twicing read and write LibTorch's memory in place (kernels/attention/attend_view.hpp); other mechanisms
/// go through `attention::evaluate`, which copies each array once. Gradients reach `qkv` and every extra input that
/// wants one. Errors: std::invalid_argument as `evaluate`.
at::Tensor attend_packed(const AttentionCall& call, const at::Tensor& qkv, attention::Index heads,
                         const ExtraInputs& extra = {});

/// The values that `qkv` packs, as [B][H][N][D].
at::Tensor values_of(const at::Tensor& qkv, attention::Index heads);

}  // namespace attest::training
