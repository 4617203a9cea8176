// An experiment from its file to its summary.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include "simulations/experiment/experiment.hpp"
#include "simulations/journal/ranks.hpp"

namespace attest::training {

/// Where and how; nothing here changes a result.
struct TrainOptions {
  std::filesystem::path directory;  ///< run.db, summary.json, checkpoints/
  std::filesystem::path data_dir;   ///< where data are looked for first
  bool resume = false;
  unsigned threads = 0;  ///< 0: one per core
};

/// Runs every variant with every seed, several at once where there are threads and spread over the ranks of an MPI
/// program (which share a file system), and writes DIR/summary.json, on rank 0. False when
/// `stop` came first; everything finished, and a checkpoint of everything begun, is kept for `resume`.
/// Progress goes to standard error, the summary to standard output. Errors: those of load_task, Transformer,
/// run_variant (another rank's as std::runtime_error); all models are built before the first is trained.
bool train(const Experiment& experiment, const TrainOptions& options, journal::Ranks& ranks,
           const std::atomic<bool>& stop);

}  // namespace attest::training
