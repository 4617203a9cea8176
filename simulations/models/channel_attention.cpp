#include "simulations/models/channel_attention.hpp"

namespace attest::models {

at::Tensor channel_attention(const at::Tensor& x, const at::Tensor& queries, const at::Tensor& values,
                             const at::Tensor& temperature) {
  const auto batch = x.size(0), tokens = x.size(1), heads = temperature.size(0), width = x.size(2) / heads;
  const auto by_head = [&](const at::Tensor& y) { return y.reshape({batch, tokens, heads, width}); };
  const at::Tensor prototype = at::softmax(by_head(x), 1).mean(3, true);  // [B][N][heads][1]
  const at::Tensor weights =
      at::sigmoid((at::softmax(by_head(queries), 1) * prototype).sum(1, true)) * temperature.view({1, 1, heads, 1});
  return (by_head(values) * weights).reshape({batch, tokens, x.size(2)});
}

}  // namespace attest::models
