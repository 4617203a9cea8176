#include "simulations/training/train_skills.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "kernels/parallel/blocks.hpp"
#include "reports/files/atomic_file.hpp"
#include "reports/pages/training_report.hpp"
#include "simulations/experiment/held_out.hpp"
#include "simulations/journal/rank_work.hpp"
#include "simulations/outcomes/skills_summary.hpp"
#include "simulations/skills/skill.hpp"
#include "simulations/terminal/build_facts.hpp"
#include "simulations/terminal/commit.hpp"
#include "simulations/terminal/progress.hpp"
#include "simulations/training/gates.hpp"
#include "simulations/training/skill_cell.hpp"

namespace attest::training {

using experiment::DataSpec;
using experiment::GeneratedCounts;
using outcomes::SkillOutcome;
using outcomes::skills_text;
using skills::Skill;
using skills::skill_of_data;
using skills::SkillLevels;
using skills::skills;
using tasks::load_task;
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

std::vector<std::string> data_names() {
  std::vector<std::string> names;
  for (const Skill& skill : skills()) names.push_back(skill.data_name());
  return names;
}

/// The skills' tasks, and that every variant can be built for every one of them.
std::vector<Task> tasks_of(const ExperimentSet& set, const TrainOptions& options) {
  std::vector<Task> tasks;
  for (const Experiment& experiment : set.experiments) {
    if (skill_of_data(experiment.data.name) == nullptr)
      throw std::invalid_argument(fmt::format("skill {}: there is no skill whose data are {}; there are {}",
                                              experiment.name, experiment.data.name, fmt::join(data_names(), ", ")));
    tasks.push_back(load_task(experiment, options.data_dir));
    require_buildable(experiment, tasks.back());
  }
  return tasks;
}

/// Seeds from the first on that all cells have.
Index whole_seeds(const ExperimentSet& set, const std::vector<Cell>& cells, journal::RunRecord& record) {
  const Experiment& first = set.experiments.front();
  for (const Cell& cell : cells)
    if (record.results(name_of(set, cell), cell.seed).empty()) return static_cast<Index>(cell.seed - first.seed);
  return first.seeds;
}

SkillLevels levels_of(const Skill& skill, const DataSpec& data) {
  const GeneratedCounts n = generated_counts(data);
  return draw_skill(skill, n.train, n.validation, n.test).levels;
}

void publish_skills(const ExperimentSet& set, const std::vector<Task>& tasks,
                    const std::vector<std::vector<std::string>>& passed, const TrainOptions& options,
                    journal::RunRecord& record, Index seeds, double seconds) {
  std::vector<SkillOutcome> outcomes;
  std::vector<const Task*> all;
  for (const Task& task : tasks) all.push_back(&task);
  for (std::size_t skill = 0; skill < set.experiments.size(); ++skill) {
    const Experiment& experiment = set.experiments[skill];
    const Skill& which = *skill_of_data(experiment.data.name);
    SkillOutcome outcome{experiment, which, levels_of(which, experiment.data), {}};
    for (Index s = 0; s < seeds; ++s)
      for (const VariantSpec& variant : experiment.variants) {
        const std::uint64_t seed = experiment.seed + static_cast<std::uint64_t>(s);
        outcome.results[{variant.name, seed}] = record.results(name_of(set, {skill, &variant, seed}), seed);
      }
    outcomes.push_back(std::move(outcome));
  }
  nlohmann::ordered_json summary = summarise_skills(set.name, set.title, outcomes, seeds, seconds);
  for (std::size_t skill = 0; skill < passed.size(); ++skill) summary["skills"][skill]["gates"] = passed[skill];
  summary["version"] = terminal::version;
  summary["provenance"] = provenance_of(options, all, record);
  reports::write_file_atomically(options.directory / reports::training_file_name, summary.dump(1) + "\n");
  const reports::WrittenReport report = reports::write_training_report(options.directory);
  for (const std::string& remark : report.remarks) fmt::print(stderr, "attest train: {}\n", remark);
  fmt::print("{}report: {}\n", skills_text(summary), report.page.string());
}

}  // namespace

bool train_skills(const ExperimentSet& set, const TrainOptions& options, journal::Ranks& ranks,
                  const std::atomic<bool>& stop) {
  const auto begun = std::chrono::steady_clock::now();
  const std::vector<Task> tasks = tasks_of(set, options);
  std::vector<std::vector<std::string>> passed;
  for (std::size_t skill = 0; skill < tasks.size(); ++skill)
    passed.push_back(pass_gates(set.experiments[skill], tasks[skill]));
  journal::RankWork work(ranks, options.directory, set.canonical, options.resume);
  if (work.cancelled()) return false;
  journal::RunRecord& record = work.record();
  const std::vector<Cell> cells = cells_of(set);
  const std::vector<Cell> mine =
      work.mine(cells, [&](const Cell& cell) { return std::pair(name_of(set, cell), cell.seed); });
  const unsigned threads = options.threads == 0 ? parallel::hardware_threads() : options.threads;
  terminal::Progress progress;
  std::mutex mutex;
  std::size_t done = cells.size() - mine.size();
  if (!mine.empty()) record.note_program(terminal::commit());
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
  if (!work.is_first()) return !stop;
  const double seconds =
      with_earlier_seconds(record, std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count());
  const Index seeds = whole_seeds(set, cells, record);
  if (seeds == 0) return false;
  publish_skills(set, tasks, passed, options, record, seeds, seconds);
  return seeds == set.experiments.front().seeds;
}

}  // namespace attest::training
