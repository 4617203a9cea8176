#include "simulations/training/train.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "kernels/parallel/blocks.hpp"
#include "simulations/checkpoints/start_weights.hpp"
#include "simulations/evaluation/evaluate.hpp"
#include "simulations/journal/rank_work.hpp"
#include "simulations/outcomes/data_order.hpp"
#include "simulations/outcomes/publish.hpp"
#include "simulations/outcomes/relative_metrics.hpp"
#include "simulations/outcomes/shipped_result.hpp"
#include "simulations/outcomes/summary.hpp"
#include "simulations/tasks/data_digest.hpp"
#include "simulations/terminal/commit.hpp"
#include "simulations/terminal/machine.hpp"
#include "simulations/terminal/progress.hpp"
#include "simulations/training/devices.hpp"
#include "simulations/training/gates.hpp"
#include "simulations/training/run.hpp"
#include "simulations/training/trainer.hpp"

namespace attest::training {
namespace {

using Clock = std::chrono::steady_clock;

/// Steps of this rank's runs, done and to be done, on standard error.
class Reporter {
 public:
  Reporter(const Experiment& experiment, std::size_t runs)
      : experiment_(experiment),
        begun_(Clock::now()),
        left_(static_cast<std::size_t>(experiment.training.steps) * runs) {}

  void step(const VariantSpec& variant, std::uint64_t seed, Index step, double loss) {
    const std::scoped_lock lock(mutex_);
    ++done_;
    const TrainingSpec& how = experiment_.training;
    const double seconds = std::chrono::duration<double>(Clock::now() - begun_).count();
    const double rate = static_cast<double>(done_) * static_cast<double>(how.batch * how.accumulate) / seconds;
    progress_.update(done_, left_,
                     fmt::format("{} seed {}: step {}/{}, loss {:.3f}, {:.0f} examples/s", variant.name, seed, step,
                                 how.steps, loss, rate));
  }

 private:
  const Experiment& experiment_;
  std::mutex mutex_;
  terminal::Progress progress_;
  Clock::time_point begun_;
  std::size_t done_ = 0, left_;
};

struct Job {
  const VariantSpec* variant;
  std::uint64_t seed;
};

/// Seeds are the outer loop, so that an interrupted experiment has whole pairs.
std::vector<Job> jobs_of(const Experiment& experiment) {
  std::vector<Job> jobs;
  for (Index s = 0; s < experiment.seeds; ++s)
    for (const VariantSpec& variant : experiment.variants)
      jobs.push_back({&variant, experiment.seed + static_cast<std::uint64_t>(s)});
  return jobs;
}

/// Trains what is left for this rank, several runs at once where there are threads.
void run_jobs(const Experiment& experiment, const Task& task, const TrainOptions& options, const std::vector<Job>& jobs,
              journal::RunRecord& record, const std::atomic<bool>& stop) {
  if (jobs.empty()) return;
  const unsigned threads = options.threads == 0 ? parallel::hardware_threads() : options.threads;
  // A device takes one run after the other unless threads are asked for: its memory is not the machine's.
  const bool on_device = experiment.training.device == TrainingSpec::Device::cuda;
  const auto at_once =
      static_cast<unsigned>(on_device && options.threads == 0 ? 1 : std::min<std::size_t>(threads, jobs.size()));
  Reporter reporter(experiment, jobs.size());
  const RunPlan plan{experiment,
                     task,
                     record,
                     options.directory,
                     std::max(1U, threads / at_once),
                     stop,
                     [&](const VariantSpec& variant, std::uint64_t seed, Index step, double loss) {
                       reporter.step(variant, seed, step, loss);
                     }};
  parallel::for_each_block(static_cast<std::int64_t>(jobs.size()), at_once, [&](std::int64_t index) {
    const Job& job = jobs[static_cast<std::size_t>(index)];
    if (!stop) run_variant(plan, *job.variant, job.seed);
  });
}

/// What each variant begins with where training.start names a file, a line each; none without.
std::vector<std::string> starts_of(const Experiment& experiment, const Task& task) {
  std::vector<std::string> lines;
  const std::string& file = experiment.training.start;
  if (file.empty()) return lines;
  for (const VariantSpec& variant : experiment.variants) {
    const Trainer built(variant.model, experiment.training, task, experiment.seed, 1);
    const StartWeights start = start_weights(file, built.parameters(), built.state().weights);
    lines.push_back(fmt::format("{}: {} of {} parameters from {}; drawn afresh: {}\n", variant.name,
                                start.values.size() - start.fresh.size(), start.values.size(), file,
                                start.fresh.empty() ? "none" : fmt::format("{}", fmt::join(start.fresh, ", "))));
  }
  return lines;
}

/// A folder by its path, or by its name below the folders that data lie in.
std::filesystem::path folder_of(const std::string& name, const std::filesystem::path& data_dir) {
  std::vector<std::filesystem::path> places = {name, data_dir / name};
  if (const char* environment = std::getenv("ATTEST_DATA"); environment != nullptr)
    places.push_back(std::filesystem::path(environment) / name);
  std::error_code error;
  for (const std::filesystem::path& place : places)
    if (std::filesystem::is_directory(place, error)) return place;
  throw std::invalid_argument(fmt::format(
      "evaluation.corrupted_set is {}, which is not a folder, here or below --data-dir or ATTEST_DATA; name "
      "that of CIFAR-10-C or ImageNet-C, or leave it out: the corruptions are then made",
      name));
}

}  // namespace

nlohmann::ordered_json provenance_of(const TrainOptions& options, const std::vector<const Task*>& tasks,
                                     journal::RunRecord& record) {
  const unsigned threads = options.threads == 0 ? parallel::hardware_threads() : options.threads;
  return json_of({.command = options.command,
                  .commit = fmt::format("{}", fmt::join(record.programs(), ", ")),
                  .machine = fmt::format("{} ({} thread{})", terminal::processor(), threads, threads == 1 ? "" : "s"),
                  .date = terminal::today(),
                  .data_digest = data_digest(tasks)});
}

double with_earlier_seconds(journal::RunRecord& record, double seconds) {
  // No variant has a blank in its name.
  const journal::Results earlier = record.results("wall time", 0);
  const double all = seconds + (earlier.contains("seconds") ? earlier.at("seconds") : 0);
  record.finish("wall time", 0, {{"seconds", all}});
  return all;
}

bool train(const Experiment& experiment, const TrainOptions& options, journal::Ranks& ranks,
           const std::atomic<bool>& stop) {
  const auto begun = Clock::now();
  require_evaluable(experiment);
  use_device(experiment.training, ranks.rank());
  const ModelSpec& model = experiment.variants.front().model;
  Task task = load_task(experiment.data, model.kind, model.context, options.data_dir);
  if (!experiment.evaluation.corrupted_set.empty())
    task.corrupted = folder_of(experiment.evaluation.corrupted_set, options.data_dir);
  require_evaluable(experiment, task);
  for (const VariantSpec& variant : experiment.variants) {
    try {
      Trainer(variant.model, experiment.training, task, experiment.seed, 1).try_out();
    } catch (const std::invalid_argument& failure) {
      throw std::invalid_argument(fmt::format("{}: {}", variant.name, failure.what()));
    }
  }
  const std::vector<std::string> passed = pass_gates(experiment, task), starts = starts_of(experiment, task);
  journal::RankWork work(ranks, options.directory, experiment.canonical, options.resume);
  if (work.cancelled()) return false;
  if (work.is_first())
    fmt::print(stderr, "{}\n{}{}\n", fmt::join(passed, "\n"), fmt::join(starts, ""), power_sentence(experiment));

  journal::RunRecord& record = work.record();
  const std::vector<Job> jobs = jobs_of(experiment);
  std::vector<Job> mine;
  for (std::size_t j = 0; j < jobs.size(); ++j)
    if (work.is_mine(j) && record.results(jobs[j].variant->name, jobs[j].seed).empty()) mine.push_back(jobs[j]);
  if (!mine.empty()) record.note_program(terminal::commit());
  try {
    run_jobs(experiment, task, options, mine, record, stop);
  } catch (const std::exception& failure) {
    work.end(failure.what());
    throw;
  }
  if (const std::string failure = work.end({}); !failure.empty()) throw std::runtime_error(failure);
  if (!work.is_first()) return !stop;
  AllResults results;
  for (const Job& job : jobs)
    if (journal::Results gave = record.results(job.variant->name, job.seed); !gave.empty())
      results[{job.variant->name, job.seed}] = std::move(gave);
  const double seconds = with_earlier_seconds(record, std::chrono::duration<double>(Clock::now() - begun).count());
  if (results.size() < jobs.size()) return false;
  add_corruption_error(experiment, results);
  require_equal_order(experiment, results);
  nlohmann::ordered_json summary = summarise(experiment, results, seconds);
  summary["gates"] = passed;
  summary["provenance"] = provenance_of(options, {&task}, record);
  const Published published = publish(options.directory, experiment, summary, record.measurements());
  for (const std::string& remark : published.remarks) fmt::print(stderr, "attest train: {}\n", remark);
  fmt::print("{}report: {}\n", summary_table(summary), published.page.string());
  return true;
}

}  // namespace attest::training
