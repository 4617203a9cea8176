#include "simulations/checkpoints/trained_model.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "simulations/experiment/read_experiment.hpp"
#include "simulations/tasks/batch_tensors.hpp"

namespace attest::checkpoints {

using experiment::parse_experiment;
using experiment::VariantSpec;
using models::ForwardPass;
using models::LayerView;
using models::Transformer;
using models::unpacked;
using tasks::loss_of;
using tasks::Slice;
namespace {

using at::Tensor;

FloatTensor copied(const Tensor& tensor) {
  const Tensor dense = tensor.detach().contiguous();
  const auto* data = dense.data_ptr<float>();
  return {attention::Shape(dense.sizes().begin(), dense.sizes().end()), std::vector<float>(data, data + dense.numel())};
}

/// LibTorch takes borrowed memory as writable, but only reads it.
Tensor borrowed(const FloatTensor& array) {
  return at::from_blob(const_cast<float*>(array.data()), array.shape(), at::kFloat);  // NOLINT
}

}  // namespace

struct TrainedModel::Model {
  Model(const ModelSpec& given, const ModelShape& of, Values values)
      : transformer(given, of), shape(of), weights(std::move(values)) {
    const auto& parameters = transformer.parameters();
    if (weights.size() != parameters.size())
      throw std::invalid_argument(
          fmt::format("{} parameters were given to a model of {}", weights.size(), parameters.size()));
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      if (static_cast<std::int64_t>(weights[p].size()) != parameters[p].entries())
        throw std::invalid_argument(fmt::format("{} has {} entries instead of {}", parameters[p].name,
                                                weights[p].size(), parameters[p].entries()));
      leaves.push_back(at::from_blob(weights[p].data(), parameters[p].shape, at::kFloat));
    }
  }

  Slice slice(const Batch& batch) const {
    return slice_of(batch, transformer.spec().kind, shape, transformer.fixed_length(), 0, batch.count);
  }

  /// Y_layers; gradients flow to `embedded` where it wants them.
  Tensor propagated(const Tensor& embedded, Index layers) const {
    if (layers < 0 || layers > static_cast<Index>(transformer.spec().layers.size()))
      throw std::invalid_argument(
          fmt::format("{} layers asked of a model of {}", layers, transformer.spec().layers.size()));
    Tensor reached = embedded;
    ForwardPass pass;
    pass.on_layer = [&](const LayerView& layer) {
      if (layer.number == layers - 1) reached = layer.output;
    };
    if (layers > 0) transformer.logits_of(leaves, embedded, {}, pass);
    return reached;
  }

  Transformer transformer;
  ModelShape shape;
  Values weights;
  std::vector<Tensor> leaves;  // on the memory of weights
};

TrainedModel::TrainedModel(const ModelSpec& spec, const ModelShape& shape, Values weights)
    : model_(std::make_unique<Model>(spec, shape, std::move(weights))) {}
TrainedModel::~TrainedModel() = default;
TrainedModel::TrainedModel(TrainedModel&&) noexcept = default;

const ModelSpec& TrainedModel::spec() const { return model_->transformer.spec(); }
const ModelShape& TrainedModel::shape() const { return model_->shape; }
const std::vector<ParameterSpec>& TrainedModel::parameters() const { return model_->transformer.parameters(); }
const Values& TrainedModel::weights() const { return model_->weights; }

FloatTensor TrainedModel::scores(const Batch& batch) const {
  at::set_num_threads(1);
  const torch::autograd::AutoGradMode off(false);
  return copied(model_->transformer.logits(model_->leaves, model_->slice(batch).input, {}));
}

InputGradient TrainedModel::input_gradient(const Batch& batch) const {
  at::set_num_threads(1);
  const torch::autograd::AutoGradMode on(true);
  Slice slice = model_->slice(batch);
  const Transformer& transformer = model_->transformer;
  const bool values = slice.input.values.is_floating_point();
  Tensor reads = (values ? slice.input.values : transformer.embedded(model_->leaves, slice.input, {})).detach();
  reads.requires_grad_(true);
  const Tensor embedded = values ? transformer.embedded(model_->leaves, {reads, slice.input.lengths}, {}) : reads;
  const Tensor scores = transformer.logits_of(model_->leaves, embedded, slice.input.lengths, {});
  const Tensor losses = loss_of(scores, slice.answers, at::Reduction::None, 0).view({batch.count, -1}).mean(1);
  const auto gradient = torch::autograd::grad({losses.sum()}, {reads});
  const FloatTensor plain = copied(losses);
  return {{plain.values().begin(), plain.values().end()}, copied(gradient.front())};
}

Trace TrainedModel::trace(const Batch& batch, bool with_matrices) const {
  at::set_num_threads(1);
  const torch::autograd::AutoGradMode off(false);
  const Index heads = spec().heads;
  Trace trace;
  ForwardPass pass;
  pass.on_layer = [&](const LayerView& layer) {
    LayerTrace one{copied(layer.input),
                   copied(unpacked(layer.qkv, heads, 0)),
                   copied(unpacked(layer.qkv, heads, 1)),
                   copied(unpacked(layer.qkv, heads, 2)),
                   {},
                   copied(layer.mixed),
                   copied(layer.attended),
                   copied(layer.output)};
    if (with_matrices && is_matrix(layer.call, layer.extra))
      one.matrix = copied(attention_matrix(layer.call, layer.qkv, heads, layer.extra));
    trace.layers.push_back(std::move(one));
  };
  trace.scores = copied(model_->transformer.logits(model_->leaves, model_->slice(batch).input, pass));
  return trace;
}

FloatTensor TrainedModel::embedded(const Batch& batch) const {
  at::set_num_threads(1);
  const torch::autograd::AutoGradMode off(false);
  return copied(model_->transformer.embedded(model_->leaves, model_->slice(batch).input, {}));
}

FloatTensor TrainedModel::propagated(const FloatTensor& embedded, Index layers) const {
  at::set_num_threads(1);
  const torch::autograd::AutoGradMode off(false);
  return copied(model_->propagated(borrowed(embedded), layers));
}

FloatTensor TrainedModel::pulled_back(const FloatTensor& embedded, Index layers, const FloatTensor& cotangent) const {
  at::set_num_threads(1);
  const torch::autograd::AutoGradMode on(true);
  const Tensor from = borrowed(embedded).requires_grad_(true);
  const Tensor reached = model_->propagated(from, layers);
  return copied(torch::autograd::grad({reached}, {from}, {borrowed(cotangent)}).front());
}

std::vector<ParameterSpec> parameters_of(const ModelSpec& spec, const ModelShape& shape) {
  return Transformer(spec, shape).parameters();
}

LoadedModel load_model(const std::filesystem::path& file) {
  const WeightsOrigin origin = read_weights_origin(file);
  Experiment experiment = parse_experiment(origin.experiment, file.string(), {});
  const auto variant = std::find_if(experiment.variants.begin(), experiment.variants.end(),
                                    [&](const VariantSpec& one) { return one.name == origin.variant; });
  if (variant == experiment.variants.end())
    throw std::invalid_argument(fmt::format("{}: its experiment has no variant {}", file.string(), origin.variant));
  const ModelSpec spec = variant->model;
  Values weights = read_weights(file, parameters_of(spec, origin.shape));
  return {std::move(experiment), origin.variant, origin.seed, TrainedModel(spec, origin.shape, std::move(weights))};
}

}  // namespace attest::checkpoints
