#include "simulations/evaluation/model_cost.hpp"

#include <algorithm>
#include <chrono>

#include <sys/resource.h>

#include "kernels/attention/mechanism/mechanism.hpp"
#include "simulations/tasks/examples.hpp"

namespace attest::evaluation {

using models::LayerSpec;
using tasks::Batch;
using tasks::evaluated_block;

ModelCost counted_cost(const ModelSpec& spec, Index tokens) {
  ModelCost cost;
  attention::CostShape shape;
  shape.heads = spec.heads;
  shape.queries = shape.keys = tokens;
  shape.dim = shape.value_dim = spec.width / spec.heads;
  shape.causal = traits_of(spec.kind).causal();
  const auto n = static_cast<double>(tokens), c = static_cast<double>(spec.width),
             f = static_cast<double>(spec.feedforward);
  for (const LayerSpec& layer : spec.layers) {
    const attention::Mechanism& mechanism = attention::find_mechanism(layer.attention.mechanism);
    const attention::Cost one = mechanism.cost(shape, layer.attention.settings);
    cost.attention_flops += one.forward_flops;
    cost.attention_bytes = std::max(cost.attention_bytes, one.forward_bytes);
    cost.product_flops += 2 * n * (4 * c * c + 2 * c * f);
  }
  return cost;
}

double measured_seconds(const TrainedModel& model, const Task& task, Index examples) {
  using Clock = std::chrono::steady_clock;
  const Index count = std::min(evaluated_block, evaluated_examples(task, examples));
  const Batch batch = task.batch(evaluated_part(task), 0, static_cast<std::size_t>(count));
  double least = 0;
  for (int pass = 0; pass < 3; ++pass) {
    const auto begun = Clock::now();
    static_cast<void>(model.input_gradient(batch));
    const double seconds = std::chrono::duration<double>(Clock::now() - begun).count() / static_cast<double>(count);
    least = pass == 0 ? seconds : std::min(least, seconds);
  }
  return least;
}

double process_peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024;  // Linux counts in KiB
}

}  // namespace attest::evaluation
