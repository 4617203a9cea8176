#include "simulations/commands/check.hpp"

#include <cstdio>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "reports/console_table.hpp"
#include "simulations/commands/build_facts.hpp"
#include "simulations/commands/device_choice.hpp"
#include "simulations/commands/exit_codes.hpp"
#include "simulations/commands/interrupt.hpp"
#include "simulations/commands/outputs.hpp"
#include "simulations/commands/progress.hpp"
#include "simulations/measure/measure.hpp"
#include "theorems/engine/record.hpp"
#include "theorems/engine/registry.hpp"
#include "theorems/engine/runner.hpp"

namespace attest::commands {
namespace {

struct CheckOptions {
  engine::Selection selection;
  std::string budget = "standard";
  std::uint64_t seed = 1;
  unsigned threads = 0;
  std::string device = "cpu";
  std::string data_dir;
  OutputPaths paths;
  bool mutants = false;
  bool no_mutants = false;
  bool no_measure = false;

  /// The main job: the whole suite, with near-misses and the quantities on real input.
  bool whole_suite() const { return selection.patterns.empty() && selection.paper.empty() && selection.family.empty(); }
};

engine::RunOptions run_options(const CheckOptions& options, Progress& progress) {
  engine::RunOptions run;
  run.seed = options.seed;
  run.budget = engine::parse_budget(options.budget);
  run.threads = options.threads;
  run.near_misses = options.mutants || (options.whole_suite() && !options.no_mutants);
  run.suite_size = engine::all_claims().size();
  run.interrupted = &interrupt_flag();
  run.progress = [&progress](std::size_t done, std::size_t total, const std::string& id) {
    progress.update(done, total, id);
  };
  return run;
}

nlohmann::json measurements(const CheckOptions& options) {
  simulations::MeasureOptions measure;
  measure.size = simulations::MeasureSize::quick;
  measure.seed = options.seed;
  measure.threads = options.threads;
  measure.data_dir = options.data_dir;
  measure.skip_missing = true;
  return simulations::measure(measure);
}

int check(const CheckOptions& options) {
  require_device(options.device);
  const auto plan = engine::select(engine::all_claims(), options.selection);
  engine::parse_budget(options.budget);
  prepare(options.paths);
  nlohmann::ordered_json document;
  {
    Progress progress;
    document = engine::to_json(engine::run(plan, run_options(options, progress)), version);
  }
  if (options.whole_suite() && !options.no_measure && !interrupt_flag())
    document["measurements"] = nlohmann::ordered_json::parse(measurements(options).dump());
  write_outputs(document, options.paths);
  const reports::Results results = reports::results_from_json(document, "results.json");
  fmt::print("{}", reports::console_table(results, reports::terminal_of(STDOUT_FILENO)));
  fmt::print("report: {}\n", (options.paths.directory / "report.html").string());
  return exit_code_of(results);
}

}  // namespace

void add_check(CLI::App& app, int& exit_code, const std::string& family) {
  const auto options = std::make_shared<CheckOptions>();
  options->selection.family = family;
  app.add_option("statements", options->selection.patterns,
                 "ids, globs over ids (quote them) or labels; all statements when none is given");
  app.add_option("--paper", options->selection.paper,
                 "only this paper's statements: boosting, primal-dual, twicing or probdr");
  app.add_option("--budget", options->budget, "quick, standard, deep or a number of seconds such as 90s")
      ->capture_default_str();
  app.add_option("--seed", options->seed, "seed of all random streams")->capture_default_str();
  app.add_option("--threads", options->threads, "threads, 0 for one a core; never changes a result")
      ->capture_default_str();
  app.add_option("--device", options->device, "cpu or cuda")->capture_default_str();
  app.add_option("--data-dir", options->data_dir, "where data sets are looked for first");
  app.add_option("--out", options->paths.directory, "directory for results, witnesses and report")
      ->capture_default_str();
  app.add_option("--json", options->paths.json, "also write results.json to this file");
  app.add_option("--junit", options->paths.junit, "also write junit.xml to this file");
  app.add_flag("--mutants", options->mutants,
               "also judge every planted near-miss (done without asking when the whole suite is judged)");
  app.add_flag("--no-mutants", options->no_mutants, "leave the near-misses out");
  app.add_flag("--no-measure", options->no_measure, "leave out the quantities on real input");
  app.footer(
      "Exit codes: 0 every verdict is the recorded one; 1 some verdict differs or a near-miss was not refuted; 2 wrong "
      "usage "
      "or bad input; 3 a file or device failed; 130 interrupted.");
  app.callback([options, &exit_code] { exit_code = check(*options); });
}

}  // namespace attest::commands
