// What a forward pass of a model costs: counted, and measured beside it.
#pragma once

#include "simulations/checkpoints/trained_model.hpp"

namespace attest::evaluation {

using attention::Index;
using checkpoints::TrainedModel;
using models::ModelSpec;
using tasks::Task;

/// Of one example of `tokens` tokens.
struct ModelCost {
  double attention_flops = 0;  ///< by the mechanisms' own cost model (kernels/attention/cost/cost.hpp)
  double product_flops = 0;    ///< of the projections and of the layers after attention: 2 per multiply-accumulate
  double attention_bytes = 0;  ///< largest memory that one layer's attention takes beyond its inputs and outputs
};

/// Embedding, classifier, norms and activations are left out: O(1) per channel and token, or the same for all variants.
ModelCost counted_cost(const ModelSpec& spec, Index tokens);

/// Seconds of a forward and backward pass per example, over the first `examples` of the evaluated part on one thread;
/// the least of three passes. A hint: other work on the machine makes it larger.
double measured_seconds(const TrainedModel& model, const Task& task, Index examples);

/// The largest memory this process has held, in bytes: of all its runs together.
double process_peak_bytes();

}  // namespace attest::evaluation
