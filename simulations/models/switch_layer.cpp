#include "simulations/models/switch_layer.hpp"

#include <cmath>

namespace attest::models {

std::int64_t expert_room(double capacity, std::int64_t tokens, std::int64_t experts) {
  return static_cast<std::int64_t>(std::ceil(capacity * static_cast<double>(tokens) / static_cast<double>(experts)));
}

Routed switch_layer(const at::Tensor& x, const Experts& experts, const Room& room) {
  const std::int64_t tokens = x.size(0), count = experts.router.size(0);
  const at::Tensor shares = at::softmax(at::linear(x, experts.router), 1);
  const at::Tensor chosen = shares.argmax(1);
  Routed routed{at::zeros_like(x), {}, 0};
  const at::Tensor means = shares.mean(0);
  for (std::int64_t e = 0; e < count; ++e) {
    const at::Tensor asking = chosen.eq(e).view({-1, room.group});
    const at::Tensor mine = asking.logical_and(asking.cumsum(1).le(room.room)).flatten().nonzero().squeeze(1);
    const auto wanted = asking.sum().item<std::int64_t>();
    const at::Tensor balance = means.select(0, e) * (static_cast<double>(count * wanted) / static_cast<double>(tokens));
    routed.balance = routed.balance.defined() ? routed.balance + balance : balance;
    routed.dropped += wanted - mine.size(0);
    if (mine.size(0) == 0) continue;
    const at::Tensor hidden =
        at::gelu(at::linear(x.index_select(0, mine), experts.widen.select(0, e), experts.widen_bias.select(0, e)));
    const at::Tensor out = at::linear(hidden, experts.narrow.select(0, e), experts.narrow_bias.select(0, e));
    routed.output = routed.output.index_add(0, mine, out * shares.select(1, e).index_select(0, mine).unsqueeze(1));
  }
  return routed;
}

}  // namespace attest::models
