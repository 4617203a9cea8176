#include "simulations/measure/trained/layer_measures.hpp"

#include <algorithm>

#include "simulations/measure/untrained/depth.hpp"
#include "simulations/tasks/examples.hpp"

namespace attest::measure {

using checkpoints::Trace;
namespace {

using RowMatrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::MatrixXd rows_of(const float* first, Index rows, Index columns) {
  return Eigen::Map<const RowMatrix>(first, rows, columns).cast<double>();
}

}  // namespace

Index present_tokens(const ModelSpec& spec, const Batch& batch, Index example, Index tokens) {
  if (batch.lengths.empty()) return tokens;
  const Index class_tokens = asks_class_token(spec) ? 1 : 0;
  return std::min(tokens, class_tokens + batch.lengths[static_cast<std::size_t>(example)]);
}

Eigen::MatrixXd tokens_of(const FloatTensor& states, Index example, Index rows) {
  const Index width = states.extent(2);
  return rows_of(states.data() + example * states.extent(1) * width, rows, width);
}

Eigen::MatrixXd head_of(const FloatTensor& heads, Index example, Index head, Index rows) {
  const Index features = heads.extent(3);
  return rows_of(heads.data() + (example * heads.extent(1) + head) * heads.extent(2) * features, rows, features);
}

double mean_head_distance(const Eigen::MatrixXd& mixed, Index heads) {
  const Index features = mixed.cols() / heads;
  double sum = 0;
  Index pairs = 0;
  for (Index h = 0; h < heads; ++h)
    for (Index k = 0; k < h; ++k, ++pairs)
      sum +=
          (mixed.middleCols(h * features, features) - mixed.middleCols(k * features, features)).rowwise().norm().mean();
  return pairs == 0 ? 0 : sum / static_cast<double>(pairs);
}

LayerMeasures measure_layers(const TrainedModel& model, const Task& task, Index examples, unsigned threads) {
  const Index looked_at = evaluated_examples(task, examples);
  const Index heads = model.spec().heads;
  const std::size_t layers = model.spec().layers.size();
  const auto blocks =
      for_each_example_block(task, evaluated_part(task), looked_at, threads, [&](const Batch& batch, Index) {
        const Trace trace = model.trace(batch, false);
        LayerMeasures sums{std::vector<double>(layers + 1), std::vector<double>(layers)};
        for (Index b = 0; b < batch.count; ++b) {
          const Index rows = present_tokens(model.spec(), batch, b, trace.layers[0].input.extent(1));
          for (std::size_t l = 0; l <= layers; ++l) {
            const FloatTensor& state = l < layers ? trace.layers[l].input : trace.layers[l - 1].output;
            sums.token_cosine[l] += measure::mean_pairwise_cosine(tokens_of(state, b, rows));
            if (l < layers)
              sums.head_distance[l] += mean_head_distance(tokens_of(trace.layers[l].mixed, b, rows), heads);
          }
        }
        return sums;
      });
  LayerMeasures means{std::vector<double>(layers + 1), std::vector<double>(layers)};
  const auto count = static_cast<double>(looked_at);
  for (const LayerMeasures& block : blocks) {
    for (std::size_t l = 0; l <= layers; ++l) means.token_cosine[l] += block.token_cosine[l] / count;
    for (std::size_t l = 0; l < layers; ++l) means.head_distance[l] += block.head_distance[l] / count;
  }
  return means;
}

}  // namespace attest::measure
