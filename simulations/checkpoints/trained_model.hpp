// A trained model as plain arrays: what measurements, attacks and pictures need of it, without LibTorch in the header.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/attention/tensor.hpp"
#include "simulations/checkpoints/checkpoint.hpp"
#include "simulations/experiment/experiment.hpp"
#include "simulations/tasks/task.hpp"

namespace attest::checkpoints {

using attention::Index;
using experiment::Experiment;
using models::ModelSpec;
using tasks::Batch;

using FloatTensor = attention::Tensor<float>;

/// One layer in one evaluation, for B examples of N tokens (the class token with them, the first), C channels, H heads
/// of D features.
struct LayerTrace {
  FloatTensor input;                  ///< [B][N][C]: Y_l, the tokens that enter
  FloatTensor queries, keys, values;  ///< [B][H][N][D]
  /// [B][H][N][N]: what each token takes from each, the mechanism applied to the identity (attention_matrix); empty
  /// where it was not asked for, and where the mechanism is not such a matrix.
  FloatTensor matrix;
  FloatTensor mixed;     ///< [B][N][C]: the heads' outputs side by side, head h in channels h D .. h D + D - 1
  FloatTensor attended;  ///< [B][N][C]: after the projection that joins them; what the residual adds
  FloatTensor output;    ///< [B][N][C]: Y_{l+1}
};

struct Trace {
  FloatTensor scores;  ///< as TrainedModel::scores
  std::vector<LayerTrace> layers;
};

/// Losses and their gradient by what a model reads.
struct InputGradient {
  std::vector<double> losses;  ///< of each example (mean over its tokens for language)
  /// d(sum of losses)/d(input): of Batch::values in their shape (vision, series), of the embedded tokens [B][N][C]
  /// (language, sequence: Y_0 before the first layer).
  FloatTensor gradient;
};

/// A model with its weights, evaluated on one thread, without dropout. Safe to use from several threads.
class TrainedModel {
 public:
  /// Errors: std::invalid_argument when the weights are not those of such a model.
  TrainedModel(const ModelSpec& spec, const ModelShape& shape, Values weights);
  ~TrainedModel();
  TrainedModel(TrainedModel&&) noexcept;
  TrainedModel(const TrainedModel&) = delete;
  TrainedModel& operator=(const TrainedModel&) = delete;
  TrainedModel& operator=(TrainedModel&&) = delete;

  const ModelSpec& spec() const;
  const ModelShape& shape() const;
  const std::vector<ParameterSpec>& parameters() const;
  /// In the order of `parameters`.
  const Values& weights() const;

  /// Scores of the classes [B][classes]; language: [B N][classes]; regression: the standardised numbers [B][1].
  FloatTensor scores(const Batch& batch) const;
  InputGradient input_gradient(const Batch& batch) const;
  /// Every layer; with_matrices: their attention matrices too, O(B H N^2) memory a layer.
  Trace trace(const Batch& batch, bool with_matrices) const;

  /// Y_0 [B][N][C] of a batch.
  FloatTensor embedded(const Batch& batch) const;
  /// Y_layers after the first `layers` layers, from Y_0; all tokens are taken as real.
  FloatTensor propagated(const FloatTensor& embedded, Index layers) const;
  /// d(sum(cotangent * propagated(embedded, layers)))/d(embedded): the transposed Jacobian times a vector.
  FloatTensor pulled_back(const FloatTensor& embedded, Index layers, const FloatTensor& cotangent) const;

 private:
  struct Model;
  std::unique_ptr<Model> model_;
};

/// The parameters of such a model, in the order that all functions have them. Errors: std::invalid_argument when spec
/// and shape do not fit.
std::vector<ParameterSpec> parameters_of(const ModelSpec& spec, const ModelShape& shape);

/// A trained model and what it was trained on.
struct LoadedModel {
  Experiment experiment;
  std::string variant;
  std::uint64_t seed = 0;
  TrainedModel model;
};

/// The model of a file that training wrote, DIR/checkpoints/VARIANT-seed-N.safetensors; its data come from
/// load_task(experiment.data, ...). Errors: std::invalid_argument when the file cannot be read, is damaged or of
/// something else.
LoadedModel load_model(const std::filesystem::path& file);

}  // namespace attest::checkpoints
