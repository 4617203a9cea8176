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
#include "reports/text/numbers.hpp"
#include "simulations/checkpoints/start_weights.hpp"
#include "simulations/evaluation/evaluate.hpp"
#include "simulations/journal/rank_work.hpp"
#include "simulations/outcomes/data_order.hpp"
#include "simulations/outcomes/publish.hpp"
#include "simulations/outcomes/relative_metrics.hpp"
#include "simulations/outcomes/settings.hpp"
#include "simulations/outcomes/shipped_result.hpp"
#include "simulations/outcomes/summary.hpp"
#include "simulations/outcomes/warnings.hpp"
#include "simulations/tasks/data_digest.hpp"
#include "simulations/terminal/commit.hpp"
#include "simulations/terminal/machine.hpp"
#include "simulations/terminal/progress.hpp"
#include "simulations/training/devices.hpp"
#include "simulations/training/gates.hpp"
#include "simulations/training/run.hpp"
#include "simulations/training/trainer.hpp"

namespace attest::training {

using checkpoints::start_weights;
using checkpoints::StartWeights;
using evaluation::require_evaluable;
using outcomes::add_corruption_error;
using outcomes::AllResults;
using outcomes::at_their_best;
using outcomes::axes_too_short;
using outcomes::curves_of_best;
using outcomes::json_of;
using outcomes::power_sentence;
using outcomes::publish;
using outcomes::Published;
using outcomes::require_equal_order;
using outcomes::run_name;
using outcomes::run_names;
using outcomes::settings_summary;
using outcomes::summarise;
using outcomes::summary_table;
using outcomes::warning_text;
using outcomes::warnings_json;
using tasks::load_task;
namespace {

using Clock = std::chrono::steady_clock;

/// Steps of this rank's runs, done and to be done, on standard error.
class Reporter {
 public:
  Reporter(const Experiment& experiment, std::size_t runs)
      : experiment_(experiment),
        begun_(Clock::now()),
        left_(static_cast<std::size_t>(experiment.training.steps) * runs) {}

  void warn(const journal::RunWarning& warning) {
    const std::scoped_lock lock(mutex_);
    progress_.clear();
    fmt::print(stderr, "attest train: {}\n", warning_text(warning));
  }

  void step(const std::string& run, std::uint64_t seed, Index step, double loss) {
    const std::scoped_lock lock(mutex_);
    ++done_;
    const TrainingSpec& how = experiment_.training;
    const double seconds = std::chrono::duration<double>(Clock::now() - begun_).count();
    const double rate = static_cast<double>(done_) * static_cast<double>(how.batch * how.accumulate) / seconds;
    progress_.update(done_, left_,
                     fmt::format("{} seed {}: step {}, loss {:.3f}, {} examples/s", run, seed,
                                 reports::out_of(step, how.steps), loss, reports::readable_count(rate)));
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
  const Setting* setting;  ///< none: as the experiment says
  std::uint64_t seed;

  std::string run() const { return run_name(*variant, setting); }
  /// As a record has it.
  std::pair<std::string, std::uint64_t> name() const { return {run(), seed}; }
};

/// Seeds are the outer loop, so that an interrupted experiment has whole pairs.
std::vector<Job> jobs_of(const Experiment& experiment) {
  std::vector<Job> jobs;
  for (Index s = 0; s < experiment.seeds; ++s)
    for (const VariantSpec& variant : experiment.variants) {
      const std::uint64_t seed = experiment.seed + static_cast<std::uint64_t>(s);
      if (experiment.settings.empty()) jobs.push_back({&variant, nullptr, seed});
      for (const Setting& setting : experiment.settings) jobs.push_back({&variant, &setting, seed});
    }
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
                     [&](const std::string& run, std::uint64_t seed, Index step, double loss) {
                       reporter.step(run, seed, step, loss);
                     },
                     [&](const journal::RunWarning& warning) { reporter.warn(warning); }};
  parallel::for_each_block(static_cast<std::int64_t>(jobs.size()), at_once, [&](std::int64_t index) {
    const Job& job = jobs[static_cast<std::size_t>(index)];
    if (stop) return;
    RunPlan its_own = plan;
    its_own.setting = job.setting;
    run_variant(its_own, *job.variant, job.seed);
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

/// Why the record's seeds are refused; empty unless it holds some beyond those asked for.
std::string seeds_left_out(const Experiment& experiment, const TrainOptions& options,
                           const journal::FinishedRuns& finished) {
  const std::uint64_t end = experiment.seed + static_cast<std::uint64_t>(experiment.seeds);
  const std::vector<std::string> runs = run_names(experiment);
  std::uint64_t last = 0;
  for (const auto& [run, seed] : finished)
    if (std::find(runs.begin(), runs.end(), run) != runs.end()) last = std::max(last, seed);
  if (last < end) return "";
  return fmt::format(
      "{} holds runs up to seed {}, which seeds = {} would leave out: give seeds = {} or more, for leaving finished "
      "runs out would choose among results",
      options.directory.string(), last, experiment.seeds, last - experiment.seed + 1);
}

/// What is there and what is still to be trained, a line; empty where nothing was begun or nothing is left.
std::string resumed_sentence(const Experiment& experiment, const TrainOptions& options, const std::vector<Job>& jobs,
                             const journal::FinishedRuns& finished) {
  const auto done =
      std::count_if(jobs.begin(), jobs.end(), [&](const Job& job) { return finished.contains(job.name()); });
  const auto all = std::ssize(jobs);
  if (done == 0 || done == all) return "";
  return fmt::format("{} holds {}; the missing ones are trained now, so that there are {}\n",
                     options.directory.string(), reports::out_of(done, all, "run"),
                     reports::counted(experiment.seeds, "seed"));
}

}  // namespace

nlohmann::ordered_json provenance_of(const TrainOptions& options, const std::vector<const Task*>& tasks,
                                     journal::RunRecord& record) {
  const unsigned threads = options.threads == 0 ? parallel::hardware_threads() : options.threads;
  return json_of({.command = options.command,
                  .commit = fmt::format("{}", fmt::join(record.programs(), ", ")),
                  .machine = fmt::format("{} ({})", terminal::processor(), reports::counted(threads, "thread")),
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
  Task task = load_task(experiment, options.data_dir);
  if (!experiment.evaluation.corrupted_set.empty())
    task.corrupted = folder_of(experiment.evaluation.corrupted_set, options.data_dir);
  require_evaluable(experiment, task);
  if (!experiment.settings.empty() && task.examples(task.test) == 0)
    throw std::invalid_argument(fmt::format(
        "[axes] chooses by the validation part, so another must judge, and {} has no test part: leave [axes] "
        "out, or name other data",
        experiment.data.name));
  require_buildable(experiment, task);
  const std::vector<std::string> passed = pass_gates(experiment, task), starts = starts_of(experiment, task);
  journal::RankWork work(ranks, options.directory, experiment.canonical, options.resume);
  if (work.cancelled()) return false;
  journal::RunRecord& record = work.record();
  const std::vector<Job> jobs = jobs_of(experiment);
  if (work.is_first())
    fmt::print(stderr, "{}\n{}{}\n{}", fmt::join(passed, "\n"), fmt::join(starts, ""), power_sentence(experiment),
               resumed_sentence(experiment, options, jobs, work.finished()));
  if (const std::string refusal = seeds_left_out(experiment, options, work.finished()); !refusal.empty()) {
    work.end({});
    if (work.is_first()) throw std::invalid_argument(refusal);  // once, not by every rank
    return true;
  }
  const std::vector<Job> mine = work.mine(jobs, [](const Job& job) { return job.name(); });
  if (!mine.empty()) record.note_program(terminal::commit());
  try {
    run_jobs(experiment, task, options, mine, record, stop);
  } catch (const std::exception& failure) {
    work.end(failure.what());
    throw;
  }
  if (const std::string failure = work.end({}); !failure.empty()) throw std::runtime_error(failure);
  if (!work.is_first()) return !stop;
  AllResults all;
  for (const Job& job : jobs)
    if (journal::Results gave = record.results(job.run(), job.seed); !gave.empty())
      all[{job.run(), job.seed}] = std::move(gave);
  const double seconds = with_earlier_seconds(record, std::chrono::duration<double>(Clock::now() - begun).count());
  if (all.size() < jobs.size()) return false;
  AllResults results = at_their_best(experiment, all);
  add_corruption_error(experiment, results);
  require_equal_order(experiment, results);
  nlohmann::ordered_json summary = summarise(experiment, results, seconds);
  summary["gates"] = passed;
  if (!experiment.settings.empty()) summary["settings"] = settings_summary(experiment, all);
  summary["warnings"] = warnings_json(record.warnings());
  summary["provenance"] = provenance_of(options, {&task}, record);
  const Published published =
      publish(options.directory, experiment, summary, curves_of_best(experiment, all, record.measurements()));
  for (const std::string& remark : published.remarks) fmt::print(stderr, "attest train: {}\n", remark);
  for (const std::string& sentence : axes_too_short(experiment, results))
    fmt::print(stderr, "attest train: {}\n", sentence);
  fmt::print("{}report: {}\n", summary_table(summary), published.page.string());
  return true;
}

}  // namespace attest::training
