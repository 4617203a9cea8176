// One run: a model's training with one seed, from its start or from a checkpoint.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "simulations/checkpoints/checkpoint.hpp"
#include "simulations/experiment/experiment.hpp"
#include "simulations/tasks/task.hpp"
#include "simulations/training/update/shard_threads.hpp"
#include "simulations/training/watch.hpp"

namespace attest::training {

using checkpoints::TrainerState;
using checkpoints::Values;
using experiment::TrainingSpec;
using models::ModelSpec;
using models::ParameterSpec;
using tasks::Batch;
using tasks::Part;
using tasks::Task;

/// A loss or gradient that is not a finite number; the message names step and layer, and before them `run`.
struct TrainingDiverged : std::runtime_error {
  TrainingDiverged(Index at_step, const std::string& why, const std::string& run = "");
  Index step;
  std::string sentence;  ///< without the step
};

/// Means over the examples of a part; language: over its tokens; segmentation: over its pixels that have a class.
struct Scores {
  double loss = 0;      ///< cross-entropy in nats, without label smoothing; regression: squared error of standardised
  double accuracy = 0;  ///< the share whose best-scored class is right
  double top5 = 0;      ///< whose right class is among the five best
  double dropped = 0;   ///< share of the tokens that an expert had no room for, over layers with experts
  std::vector<double> confusion = {};  ///< segmentation: pixels by [class][answer]
};

/// The state of a run and what moves it on. On the processor every result is a pure function of (task, model, training,
/// seed): LibTorch works on one thread for each shard or block, and their results are combined in order, because its
/// own parallel sums and matrix products round differently for another number of threads. Bits may still differ between
/// versions of LibTorch and BLAS, and between processors for which BLAS picks other kernels. On a CUDA device passes
/// through the model and updates run there with LibTorch's deterministic algorithms where it has them; weights and
/// moments are brought back when they are asked for.
class Trainer {
 public:
  /// Errors: std::invalid_argument when the model does not suit the task. `task` must outlive the trainer.
  Trainer(const ModelSpec& model, const TrainingSpec& training, const Task& task, std::uint64_t seed, unsigned threads);
  ~Trainer();
  Trainer(const Trainer&) = delete;
  Trainer& operator=(const Trainer&) = delete;

  const std::vector<ParameterSpec>& parameters() const;
  /// Of a run on a device, weights and moments are brought from there.
  const TrainerState& state() const;
  /// What a loop over steps asks for, at no cost.
  Index steps() const { return state_.step; }
  bool stopped() const { return state_.stopped; }
  void add_seconds(double seconds) { state_.seconds += seconds; }
  /// Begins with other weights than drawn ones. Precondition: no step was made.
  void start_with(Values weights);
  /// Takes up a state that a checkpoint held.
  void restore(TrainerState state);

  /// One pass of the first training example through the model, so that what does not fit is refused before the first
  /// step. Errors: std::invalid_argument, such as for an option that the mechanism does not know.
  void try_out() const;
  /// One step. Returns the training loss before it. Errors: TrainingDiverged.
  double step();
  /// The share of the last step's tokens for which an expert had no room, over layers with experts; 0 without.
  double dropped_share() const;
  /// How far attention is spread with the present weights (training/attention_entropy.hpp).
  std::vector<HeadEntropy> head_entropies() const;
  /// Tokens of a sequence that the model reads, the class token with them.
  Index tokens() const;
  /// Scores of a part with the present weights. Precondition: the part has examples.
  Scores evaluate(const Part& part) const;
  /// Notes a validation loss: remembers the best weights and decides on stopping early.
  void note_validation(double loss);
  /// Goes back to the best weights.
  void take_best();

 private:
  struct Model;
  void share_weights();
  std::string first_bad_place(const Batch& batch) const;
  [[noreturn]] void diverged(const std::string& what, const Batch& batch) const;
  double add_gradient_of(const Batch& batch, Index number, bool first);
  void update();

  const TrainingSpec training_;
  const Task& task_;
  const std::uint64_t seed_;
  mutable ShardThreads threads_;
  std::unique_ptr<Model> model_;
  mutable TrainerState state_;  // on a device: weights and moments as they were last brought from there
};

}  // namespace attest::training
