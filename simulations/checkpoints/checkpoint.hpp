// A training's state in one file: everything that the rest of it depends on.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "simulations/models/model_spec.hpp"
#include "simulations/models/parameters.hpp"

namespace attest::checkpoints {

using models::ModelShape;
using models::ParameterSpec;

/// Values of every parameter, in the order of the model's list.
using Values = std::vector<std::vector<float>>;

/// After `step` steps.
struct TrainerState {
  std::int64_t step = 0;
  Values weights, first_moments, second_moments;
  Values best_weights;  ///< of the evaluation with the lowest validation loss; empty before the first
  double best_loss = 0;
  std::int64_t best_step = -1;
  std::int64_t without_gain = 0;  ///< evaluations since then
  bool stopped = false;           ///< early
  std::uint64_t data_order = 0;   ///< a digest of the batches so far in their order
  double seconds = 0;             ///< of wall time that the steps so far took
};

/// Writes `file` (.safetensors): weights, moments, best weights, counters and a SHA-256 digest of all of it with
/// `belongs_to`. The file is there whole or not at all. Errors: reports::IoError.
void write_checkpoint(const std::filesystem::path& file, const std::vector<ParameterSpec>& parameters,
                      const TrainerState& state, const std::string& belongs_to);

/// Nothing when there is no such file. Errors: std::invalid_argument when it is damaged, was written for other
/// parameters or belongs to something else.
std::optional<TrainerState> read_checkpoint(const std::filesystem::path& file,
                                            const std::vector<ParameterSpec>& parameters,
                                            const std::string& belongs_to);

/// What a file of weights says of itself, so that the model can be built from it alone.
struct WeightsOrigin {
  std::string experiment;  ///< Experiment::canonical
  std::string variant;
  std::uint64_t seed = 0;
  ModelShape shape;
};

/// The weights alone, by their names, for other programs. Errors: reports::IoError.
void write_weights(const std::filesystem::path& file, const std::vector<ParameterSpec>& parameters,
                   const Values& weights, const WeightsOrigin& origin);

/// Errors: std::invalid_argument when the file cannot be read, is damaged or not one of write_weights.
WeightsOrigin read_weights_origin(const std::filesystem::path& file);

/// Errors: as read_weights_origin; also when the weights are not those of `parameters`.
Values read_weights(const std::filesystem::path& file, const std::vector<ParameterSpec>& parameters);

}  // namespace attest::checkpoints
