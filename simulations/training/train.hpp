// An experiment from its file to its summary.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "simulations/experiment/experiment.hpp"
#include "simulations/journal/ranks.hpp"
#include "simulations/journal/run_record.hpp"
#include "simulations/tasks/task.hpp"

namespace attest::training {

using experiment::Experiment;
using tasks::Task;

/// Where and how; nothing here changes a result.
struct TrainOptions {
  std::filesystem::path directory;  ///< run.db, summary.json, checkpoints/
  std::filesystem::path data_dir;   ///< where data are looked for first
  bool resume = false;
  unsigned threads = 0;  ///< 0: one per core
  std::string command;   ///< that makes the same again, for the record
};

/// Where a summary of these tasks and this record comes from, as JSON (outcomes/shipped_result.hpp).
nlohmann::ordered_json provenance_of(const TrainOptions& options, const std::vector<const Task*>& tasks,
                                     journal::RunRecord& record);

/// `seconds` of wall time with those of earlier processes that worked on the same record, which remembers the sum.
double with_earlier_seconds(journal::RunRecord& record, double seconds);

/// Runs every variant with every seed, several at once where there are threads and spread over the ranks of an MPI
/// program (which share a file system), and writes DIR/summary.json, on rank 0. False when
/// `stop` came first; everything finished, and a checkpoint of everything begun, is kept for `resume`.
/// Progress goes to standard error, the summary to standard output. Errors: those of load_task, Transformer,
/// run_variant (another rank's as std::runtime_error); all models are built before the first is trained.
bool train(const Experiment& experiment, const TrainOptions& options, journal::Ranks& ranks,
           const std::atomic<bool>& stop);

}  // namespace attest::training
