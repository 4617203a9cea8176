#include "simulations/training/train_skills.hpp"

#include <algorithm>
#include <mutex>
#include <stdexcept>

#include <fmt/format.h>

#include "kernels/parallel/blocks.hpp"
#include "simulations/journal/rank_work.hpp"
#include "simulations/skills/skill.hpp"
#include "simulations/terminal/progress.hpp"
#include "simulations/training/skill_cell.hpp"
#include "simulations/training/trainer.hpp"

namespace attest::training {
namespace {

struct Cell {
  std::size_t skill = 0;
  const VariantSpec* variant = nullptr;
  std::uint64_t seed = 0;
};

/// How the record calls a cell's run.
std::string name_of(const ExperimentSet& set, const Cell& cell) {
  return set.experiments[cell.skill].name + "/" + cell.variant->name;
}

/// Seeds are the outer loop, so that an interrupted table has whole pairs.
std::vector<Cell> cells_of(const ExperimentSet& set) {
  std::vector<Cell> cells;
  const Experiment& first = set.experiments.front();
  for (Index s = 0; s < first.seeds; ++s)
    for (std::size_t skill = 0; skill < set.experiments.size(); ++skill)
      for (const VariantSpec& variant : set.experiments[skill].variants)
        cells.push_back({skill, &variant, first.seed + static_cast<std::uint64_t>(s)});
  return cells;
}

/// The skills' tasks, and that every variant can be built for every one of them.
std::vector<Task> tasks_of(const ExperimentSet& set, const TrainOptions& options) {
  std::vector<Task> tasks;
  for (const Experiment& experiment : set.experiments) {
    const ModelSpec& model = experiment.variants.front().model;
    tasks.push_back(load_task(experiment.data, model.kind, model.context, options.data_dir));
    for (const VariantSpec& variant : experiment.variants) {
      try {
        Trainer(variant.model, experiment.training, tasks.back(), experiment.seed, 1).try_out();
      } catch (const std::invalid_argument& failure) {
        throw std::invalid_argument(fmt::format("{}, {}: {}", experiment.name, variant.name, failure.what()));
      }
    }
  }
  return tasks;
}

}  // namespace

bool train_skills(const ExperimentSet& set, const TrainOptions& options, journal::Ranks& ranks,
                  const std::atomic<bool>& stop) {
  const std::vector<Task> tasks = tasks_of(set, options);
  RankWork work(ranks, options.directory, set.canonical, options.resume);
  if (work.cancelled()) return false;
  RunRecord& record = work.record();
  const std::vector<Cell> cells = cells_of(set);
  std::vector<Cell> mine;
  for (std::size_t c = 0; c < cells.size(); ++c)
    if (work.is_mine(c) && record.results(name_of(set, cells[c]), cells[c].seed).empty()) mine.push_back(cells[c]);
  const unsigned threads = options.threads == 0 ? parallel::hardware_threads() : options.threads;
  commands::Progress progress;
  std::mutex mutex;
  std::size_t done = cells.size() - mine.size();
  try {
    parallel::for_each_block(static_cast<std::int64_t>(mine.size()), threads, [&](std::int64_t index) {
      const Cell& cell = mine[static_cast<std::size_t>(index)];
      if (stop) return;
      const auto results = train_cell(set.experiments[cell.skill], tasks[cell.skill], *cell.variant, cell.seed, stop);
      if (!results) return;
      record.finish(name_of(set, cell), cell.seed, *results);
      const std::scoped_lock lock(mutex);
      progress.update(++done, cells.size(), fmt::format("{} seed {}", name_of(set, cell), cell.seed));
    });
  } catch (const std::exception& failure) {
    work.end(failure.what());
    throw;
  }
  if (const std::string failure = work.end({}); !failure.empty()) throw std::runtime_error(failure);
  return !stop;
}

}  // namespace attest::training
