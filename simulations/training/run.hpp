// A run from beginning to end: training, evaluations, checkpoints, the record, and the test part once.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>

#include "simulations/experiment/experiment.hpp"
#include "simulations/journal/run_record.hpp"
#include "simulations/tasks/task.hpp"

namespace attest::training {

using attention::Index;
using experiment::Experiment;
using experiment::Setting;
using experiment::VariantSpec;
using tasks::Task;

/// What a run needs besides its variant and seed.
struct RunPlan {
  const Experiment& experiment;
  const Task& task;
  journal::RunRecord& record;
  std::filesystem::path directory;  ///< DIR; checkpoints go to DIR/checkpoints
  unsigned threads = 1;             ///< of this run
  const std::atomic<bool>& stop;
  /// Called after every step, from the run's thread, with the run's name.
  std::function<void(const std::string& run, std::uint64_t seed, Index step, double loss)> on_step;
  /// Called with each warning, which is in the record by then.
  std::function<void(const journal::RunWarning&)> on_warning = {};
  const Setting* setting = nullptr;  ///< how it trains, where it is not as the experiment says
};

/// Trains `variant` with `seed`, going on from its checkpoint where there is one, and returns what it gave:
/// validation_loss, test_loss and for images their accuracies, for text perplexities, and its cost (put_cost); nothing
/// when `stop` came first
/// (a checkpoint is written then). A finished run is not done again.
/// Errors: TrainingDiverged naming variant and seed; reports::IoError; those of RunRecord and of checkpoints.
std::optional<journal::Results> run_variant(const RunPlan& plan, const VariantSpec& variant, std::uint64_t seed);

}  // namespace attest::training
