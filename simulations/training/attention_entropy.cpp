#include "simulations/training/attention_entropy.hpp"

#include <algorithm>
#include <limits>

#include "simulations/tasks/batch_tensors.hpp"

namespace attest::training {

using tasks::Batch;

using at::Tensor;

std::vector<HeadEntropy> entropies_of(const LayerView& layer, Index heads) {
  if (!is_matrix(layer.call, layer.extra)) return {};
  const Tensor rows = attention_matrix(layer.call, layer.qkv, heads, layer.extra).to(at::kDouble);
  const Index examples = rows.size(0), tokens = rows.size(2);
  const Tensor place = at::arange(tokens, at::kDouble),
               lengths = layer.call.key_lengths.empty()
                             ? at::full({examples, 1}, static_cast<double>(tokens), at::kDouble)
                             : at::tensor(layer.call.key_lengths, at::kLong).to(at::kDouble).unsqueeze(1);
  const Tensor keys = layer.call.causal ? at::minimum(place + 1, lengths) : lengths.expand({examples, tokens});
  const Tensor asked = place.lt(lengths).logical_and(keys.ge(2)).unsqueeze(1).expand({examples, heads, tokens});
  const Tensor sums = rows.sum(3);
  constexpr double single_rounding = 1e-5;  // of rows that were computed or kept in float32
  const bool distributions = rows.ge(-single_rounding).all().item<bool>() &&
                             (sums - 1).abs().masked_select(asked).lt(single_rounding).all().item<bool>();
  if (!distributions || !asked.any().item<bool>()) return {};
  const Tensor shares = rows.clamp_min(0) / sums.clamp_min(std::numeric_limits<double>::min()).unsqueeze(3);
  const Tensor spread = -at::xlogy(shares, shares).sum(3) / keys.clamp_min(2).log().unsqueeze(1);
  std::vector<HeadEntropy> found;
  for (Index h = 0; h < heads; ++h) {
    const Tensor of_head = spread.select(1, h).masked_select(asked.select(1, h));
    found.push_back({layer.number, h, of_head.mean().item<double>(), of_head.min().item<double>()});
  }
  return found;
}

std::vector<HeadEntropy> head_entropies(const Transformer& model, const std::vector<Tensor>& weights, ForwardPass pass,
                                        const Task& task) {
  constexpr Index most_entries = Index{1} << 22U, most_examples = 2;
  const Index entries = model.spec().heads * model.tokens() * model.tokens();
  const Index count =
      std::min({most_examples, most_entries / entries, static_cast<Index>(task.examples(task.validation))});
  if (count == 0 || !weights.front().device().is_cpu()) return {};
  at::set_num_threads(1);
  const torch::autograd::AutoGradMode off(false);
  const Batch batch = task.batch(task.validation, 0, static_cast<std::size_t>(count));
  std::vector<HeadEntropy> all;
  pass.on_layer = [&](const LayerView& layer) {
    for (const HeadEntropy& one : entropies_of(layer, model.spec().heads)) all.push_back(one);
  };
  model.logits(weights, slice_of(batch, task.kind, task.shape, model.fixed_length(), 0, count).input, pass);
  return all;
}

}  // namespace attest::training
