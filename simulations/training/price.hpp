// What a training would take on this machine, before it is begun.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "simulations/experiment/experiment.hpp"
#include "simulations/tasks/task.hpp"

namespace attest::training {

using experiment::Experiment;
using tasks::Task;

/// Of one run of a variant.
struct VariantPrice {
  std::string name;
  double step_seconds = 0;    ///< of wall time, measured
  double measured_share = 1;  ///< of a step's examples that the measured steps had; the time grows with their number
  double evaluation_seconds = 0;  ///< of all evaluations of a run
  double run_seconds = 0;         ///< steps and evaluations
};

struct Price {
  std::vector<VariantPrice> variants;
  unsigned at_once = 1;     ///< runs that share the machine while they are measured and trained
  double seed_seconds = 0;  ///< of wall time for a seed of every variant, under all settings
};

/// How many examples the parts of the real data have, where `task` is a stand-in.
struct PartSizes {
  double validation = 0, test = 0;
};

/// Makes a few steps of every variant (of one with a smaller batch where a step takes longer than ten seconds) and
/// evaluations where they are short; long ones are taken at the time of a step, which is more than they take.
/// [evaluation] is left out. Errors: those of Trainer.
Price price_of(const Experiment& experiment, const Task& task, const PartSizes& sizes, unsigned threads);

/// A task of random examples in the shape of data that are not here, and the sizes of their parts: of ImageNet-1k, for
/// models of images. Errors: std::invalid_argument for others, naming the data.
std::pair<Task, PartSizes> stand_in_for(const Experiment& experiment);

/// `price_of` with the data, or with a stand-in where they are missing, which a line says; then price_text.
std::string priced(const Experiment& experiment, const std::filesystem::path& data_dir, unsigned threads);

/// Lines for a terminal: a variant each, then what all seeds and the fewest that can decide take, in minutes.
std::string price_text(const Experiment& experiment, const Price& price);

}  // namespace attest::training
