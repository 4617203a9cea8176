#include "simulations/models/operands.hpp"

#include <cmath>
#include <mutex>

#include "simulations/models/operation_stages.hpp"

namespace attest::models {

using at::Tensor;

at::Generator generator_on(const at::Device& device, std::uint64_t seed) {
  if (device.is_cpu()) return at::make_generator<at::CPUGeneratorImpl>(seed);
  at::Generator shared = at::globalContext().defaultGenerator(device);  // a handle
  at::Generator own = [&] {
    const std::scoped_lock lock(shared.mutex());
    return shared.clone();
  }();
  own.set_current_seed(seed);
  return own;
}

Tensor Operands::input(const char* name) const {
  for (const auto& [known, tensor] : extra)
    if (known == name) return tensor;
  return {};
}

Tensor Operands::per_head(const char* name, double value) const {
  const Tensor learned = input(name), like = wide(q);
  if (!learned.defined()) return at::full({heads(), 1, 1}, value, like.options());
  return learned.to(like.scalar_type()).reshape({-1, 1, 1}).expand({heads(), 1, 1});
}

Tensor hidden_keys(const Operands& o, Index keys, const std::vector<Index>& lengths, bool causal) {
  Tensor hidden;
  if (causal) hidden = at::ones({o.tokens(), keys}, o.q.options().dtype(at::kBool)).triu(1);
  if (!lengths.empty()) {
    const Tensor beyond = real_tokens(wide(o.q), lengths, keys).transpose(2, 3).eq(0);
    hidden = hidden.defined() ? hidden.logical_or(beyond) : beyond;
  }
  return hidden;
}

Tensor products(const Tensor& q, const Tensor& k) { return wide(q.matmul(k.transpose(2, 3))); }

Tensor attention_weights(const Operands& o, const Tensor& logits, const Tensor& hidden) {
  const Tensor sums = wide(logits);
  // A row of infinities has no softmax: it is taken out again, forward and backward, by the second fill.
  Tensor a =
      hidden.defined() ? sums.masked_fill(hidden, -INFINITY).softmax(-1).masked_fill(hidden, 0) : sums.softmax(-1);
  a = a.to(o.v.scalar_type());
  const double rate = o.call.dropout.rate;
  if (!(rate > 0)) return a;
  return a * at::empty_like(a).bernoulli_(1 - rate, o.generator).div_(1 - rate);
}

Tensor softmax_matrix(const Operands& o) {
  return attention_weights(o, products(o.q, o.k) * o.scale(), hidden_keys(o, o.tokens(), o.lengths(), o.causal));
}

}  // namespace attest::models
