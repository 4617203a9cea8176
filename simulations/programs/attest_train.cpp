// The program behind `attest train`. It is a program of its own because LibTorch's libraries take a third of a second
// and hundreds of megabytes to load, which `attest check` should not pay.
#include <atomic>
#include <cstdio>
#include <stdexcept>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "kernels/files/whole_file.hpp"
#include "kernels/parallel/blocks.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/shell_word.hpp"
#include "simulations/command/usage.hpp"
#include "simulations/experiment/awaiting.hpp"
#include "simulations/experiment/read_experiment.hpp"
#include "simulations/terminal/exit_codes.hpp"
#include "simulations/terminal/freed_memory.hpp"
#include "simulations/terminal/interrupt.hpp"
#include "simulations/terminal/leave.hpp"
#include "simulations/terminal/machine.hpp"
#include "simulations/terminal/run_program.hpp"
#include "simulations/training/blas_kernels.hpp"
#include "simulations/training/price.hpp"
#include "simulations/training/train.hpp"
#include "simulations/training/train_skills.hpp"

namespace {

const std::filesystem::path default_skills = "simulations/experiments/skills.toml";
const std::filesystem::path awaiting_statements = "simulations/experiments/awaiting.toml";

/// What makes the same summary again, data aside.
std::string command_of(std::string command, const std::filesystem::path& spec,
                       const std::vector<std::string>& overrides) {
  if (!spec.empty()) command += " " + attest::reports::shell_word(spec.string());
  for (const std::string& setting : overrides) command += " --set " + attest::reports::shell_word(setting);
  return command;
}

/// A file of the repository, which is read where none is named. Errors: std::invalid_argument where it is not there.
const std::filesystem::path& in_repository(const std::filesystem::path& file, const char* option) {
  if (!std::filesystem::exists(file))
    throw std::invalid_argument(fmt::format(
        "{} without a file reads {} in the current folder, which is not there: go to the repository's, or name a file",
        option, file.string()));
  return file;
}

/// What the trainings of one experiment take here, or those of all statements that await one.
void print_prices(const std::filesystem::path& spec, const std::vector<std::string>& overrides,
                  const attest::training::TrainOptions& options) {
  using namespace attest;
  const unsigned threads = options.threads == 0 ? parallel::hardware_threads() : options.threads;
  const auto say_where = [threads] {
    fmt::print("Measured on {}, {}; runs that train at once are taken not to slow each other down.\n",
               terminal::processor(), reports::counted(threads, "thread"));
  };
  if (!spec.empty()) {
    const experiment::Experiment experiment = experiment::read_experiment(spec, overrides);
    say_where();
    fmt::print("{}:\n{}", spec.string(), training::priced(experiment, options.data_dir, threads));
    return;
  }
  const auto list = experiment::parse_awaiting(files::read_whole(in_repository(awaiting_statements, "--price")),
                                               awaiting_statements.string());
  say_where();
  for (const experiment::Awaiting& one : list) {
    fmt::print("\n{}:\n", one.id);
    if (!one.lacks.empty())
      fmt::print("  {}lacking: {}\n", one.experiment.empty() ? "no training decides it; " : "", one.lacks);
    if (!one.experiment.empty())
      fmt::print("  {}{}\n{}", one.experiment, one.skill.empty() ? "" : ", skill " + one.skill,
                 training::priced(experiment::experiment_of(one, awaiting_statements.parent_path()), options.data_dir,
                                  threads));
    std::fflush(stdout);
  }
}

int ended(bool finished, attest::journal::Ranks& ranks) {
  using namespace attest;
  if (finished) return terminal::exit_success;
  if (ranks.rank() == 0) fmt::print(stderr, "attest train: interrupted; --resume continues from here\n");
  return terminal::exit_interrupted;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace attest;
  training::use_fitting_blas_kernels(argv);
  terminal::keep_freed_memory();
  const std::atomic<bool>& stop = terminal::interrupt_flag();
  CLI::App app("Trains every variant that a file names with every seed, and compares them.", "attest train");
  std::filesystem::path spec;
  std::vector<std::string> overrides;
  std::string device;
  training::TrainOptions options;
  bool skills = false, price = false;
  app.add_option("spec", spec, "the experiment, .toml; ready ones are in simulations/experiments");
  app.add_flag("--skills", skills,
               "a table of skills: every variant on every [[skill]] of the file; "
               "simulations/experiments/skills.toml if none is given");
  app.add_flag("--price", price,
               "train nothing: measure a few steps, and say how many minutes the training takes here; without a file, "
               "the trainings of every statement that awaits one")
      ->excludes("--skills");
  app.add_option("--set", overrides, "key=value changes the file, such as training.steps=100; may be repeated")
      ->allow_extra_args(false);
  app.add_flag("--resume", options.resume, "continue the training in the folder");
  app.add_option("--out", options.directory, "folder of run.db, summary.json and checkpoints; out/NAME by default");
  app.add_option("--data-dir", options.data_dir, "where data sets are looked for first");
  app.add_option("--device", device, "cpu, or cuda with a CUDA build of LibTorch: --set training.device=cuda");
  app.add_option("--threads", options.threads, "threads, 0 for one per core; never changes a result")
      ->capture_default_str();
  app.footer("Exit codes: 0 done; 2 wrong usage or bad input; 3 a file or a training failed; 130 interrupted.");
  commands::refuse_what_is_no_number(app);
  terminal::leave(terminal::run_program(app, [&] {
    commands::parse(app, argc, argv);
    if (!device.empty()) overrides.push_back("training.device=" + device);
    if (price) {
      print_prices(spec, overrides, options);
      return terminal::exit_success;
    }
    journal::Ranks ranks;
    if (skills) {
      const auto set =
          experiment::read_experiment_set(spec.empty() ? in_repository(default_skills, "--skills") : spec, overrides);
      if (options.directory.empty()) options.directory = std::filesystem::path("out") / set.name;
      options.command = command_of("attest train --skills", spec, overrides);
      return ended(training::train_skills(set, options, ranks, stop), ranks);
    }
    if (spec.empty())
      throw std::invalid_argument("name an experiment, such as simulations/experiments/quick/vision.toml");
    const experiment::Experiment experiment = experiment::read_experiment(spec, overrides);
    if (options.directory.empty()) options.directory = std::filesystem::path("out") / experiment.name;
    options.command = command_of("attest train", spec, overrides);
    return ended(training::train(experiment, options, ranks, stop), ranks);
  }));
}
