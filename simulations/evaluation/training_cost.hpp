// What a step of training takes, counted by the cost laws of the attention library.
#pragma once

#include <vector>

#include "simulations/experiment/experiment.hpp"
#include "simulations/models/parameters.hpp"

namespace attest::evaluation {

using attention::Index;
using experiment::TrainingSpec;
using models::ModelSpec;
using models::ParameterSpec;

struct TrainingCost {
  double parameters = 0;
  /// Forward and backward of all examples of a step: attention by its mechanism's law, its projections, and what stands
  /// after it (of experts: the router and one expert per token). Embedding, norms, classifier and Adam are left out.
  double step_flops = 0;
  /// float32 weights, Adam's two moments, the gradient, and a gradient of each shard.
  double state_bytes = 0;
  /// Outputs of the same products and attentions and their gradients, as if all of a batch were held at once: what a
  /// backward pass may need beside the state.
  double activation_bytes = 0;
};

/// Of a model that reads `sequences` of `tokens` tokens for each example. Precondition: the model can be built.
TrainingCost training_cost(const ModelSpec& model, const TrainingSpec& training, Index sequences, Index tokens,
                           const std::vector<ParameterSpec>& parameters);

}  // namespace attest::evaluation
