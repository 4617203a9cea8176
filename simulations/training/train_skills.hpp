// A table of skills from its file to its summary.
#pragma once

#include <atomic>

#include "simulations/experiment/read_experiment.hpp"
#include "simulations/journal/ranks.hpp"
#include "simulations/training/train.hpp"

namespace attest::training {

using experiment::ExperimentSet;

/// Trains every variant on every skill with every seed, a seed after the other, and writes DIR/summary.json and
/// DIR/report.html over the seeds that all cells have. False when `stop` came first; finished cells are kept in
/// DIR/run.db for `resume`, also with more seeds. Errors: as `train`.
bool train_skills(const ExperimentSet& set, const TrainOptions& options, journal::Ranks& ranks,
                  const std::atomic<bool>& stop);

}  // namespace attest::training
