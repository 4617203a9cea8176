// The channel attention of fully attentional networks.
#pragma once

#include <ATen/ATen.h>

namespace attest::models {

/// What FAN puts in place of the layer after attention (Zhou et al. 2022, "Understanding the Robustness in Vision
/// Transformers", efficient channel attention): out[n][c] = a_c m[n][c], a_c = t_h sigmoid(sum_n s[n][c] r[n]) for
/// channel c of head h, with s = softmax over tokens of `queries`, r the mean over the head's channels of the softmax
/// over tokens of x. `values` m is the normalised output of the usual layer; theirs has depthwise convolutions in it.
/// x, queries, values: [B][N][C], temperature t: [heads]; heads divides C.
at::Tensor channel_attention(const at::Tensor& x, const at::Tensor& queries, const at::Tensor& values,
                             const at::Tensor& temperature);

}  // namespace attest::models
