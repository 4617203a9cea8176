#include "simulations/evaluation/training_cost.hpp"

#include "kernels/attention/cost/architecture.hpp"

namespace attest::evaluation {

using models::ExpertSpec;
using models::LayerSpec;
namespace {

using attention::Cost;

constexpr Index float_bytes = 4;

Cost cost_after_attention(const ModelSpec& model, const ExpertSpec& experts, Index rows) {
  Cost cost = attention::feed_forward_cost(rows, model.width, model.feedforward);
  if (experts.count > 0) cost += attention::linear_layer_cost(rows, model.width, experts.count, false);
  if (model.channel_attention) cost += attention::linear_layer_cost(rows, model.width, model.width, true);
  return cost;
}

}  // namespace

TrainingCost training_cost(const ModelSpec& model, const TrainingSpec& training, Index sequences, Index tokens,
                           const std::vector<ParameterSpec>& parameters) {
  TrainingCost all;
  for (const ParameterSpec& parameter : parameters) all.parameters += static_cast<double>(parameter.entries());
  all.state_bytes = all.parameters * static_cast<double>(float_bytes * (4 + training.shards));
  const Index batch = training.batch * sequences, rows = batch * tokens, head_dim = model.width / model.heads;
  const attention::CostShape shape{.batch = batch,
                                   .heads = model.heads,
                                   .queries = tokens,
                                   .keys = tokens,
                                   .dim = head_dim,
                                   .value_dim = head_dim,
                                   .element_bytes = float_bytes,
                                   .keeps_weights = training.operations,
                                   .causal = traits_of(model.kind).causal()};
  Cost cost;
  for (const LayerSpec& layer : model.layers) {
    cost += attention::find_mechanism(layer.attention.mechanism).cost(shape, layer.attention.settings);
    cost += attention::linear_layer_cost(rows, model.width, 3 * model.width, true);
    cost += attention::linear_layer_cost(rows, model.width, model.width, true);
    cost += cost_after_attention(model, layer.experts, rows);
  }
  all.step_flops = (cost.forward_flops + cost.backward_flops) * static_cast<double>(training.accumulate);
  all.activation_bytes = cost.backward_bytes;
  return all;
}

}  // namespace attest::evaluation
