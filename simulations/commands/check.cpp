#include "simulations/commands/check.hpp"

#include <cstdio>
#include <exception>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "reports/explain/console_table.hpp"
#include "simulations/commands/brought_claims.hpp"
#include "simulations/commands/evidence_files.hpp"
#include "simulations/commands/outputs.hpp"
#include "simulations/commands/record_changes.hpp"
#include "simulations/commands/record_of_run.hpp"
#include "simulations/commands/results.hpp"
#include "simulations/commands/statement_filter.hpp"
#include "simulations/measure/untrained/measure.hpp"
#include "simulations/terminal/device_choice.hpp"
#include "simulations/terminal/end_on_interrupt.hpp"
#include "simulations/terminal/exit_codes.hpp"
#include "simulations/terminal/interrupt.hpp"
#include "simulations/terminal/progress.hpp"
#include "theorems/engine/registry.hpp"
#include "theorems/engine/runner/runner.hpp"
#include "theorems/engine/runner/trained_runs.hpp"
#include "theorems/known_gaps.hpp"
#include "theorems/ledger/typed_claims.hpp"
#include "theorems/trained_models.hpp"

namespace attest::commands {
namespace {

engine::RunOptions run_options(const CheckOptions& options, const engine::Budget& budget, const engine::Claims& claims,
                               bool brought, terminal::Progress& progress) {
  engine::RunOptions run;
  run.seed = options.seed;
  run.budget = budget;
  run.threads = options.threads;
  run.near_misses = options.mutants || ((options.whole_suite() || brought) && !options.no_mutants);
  run.ledger_shares = engine::ledger_shares(claims);
  run.known_gaps = &engine::known_gaps();
  run.measure_search = true;
  run.interrupted = &terminal::interrupt_flag();
  run.progress = [&progress](std::size_t done, std::size_t total, const std::string& id) {
    progress.update(done, total, id);
  };
  return run;
}

nlohmann::json measurements(const CheckOptions& options) {
  measure::MeasureOptions measure;
  measure.size = measure::MeasureSize::quick;
  measure.seed = options.seed;
  measure.threads = options.threads;
  measure.data_dir = options.data_dir;
  measure.skip_missing = true;
  return measure::measure(measure);
}

void say_interrupted(const OutputPaths& paths) {
  fmt::print(stderr,
             "attest: interrupted; what was finished is in {0}, and `attest report {1}` makes the report of it\n",
             (paths.directory / "results.json").string(), paths.directory.string());
}

}  // namespace

int check(const CheckOptions& options) {
  if (terminal::is_cuda(options.device))
    throw terminal::DeviceError(
        "--device cuda: no check has a CUDA kernel in this version; use --device cpu, which gives the same bits");
  const engine::Budget budget = engine::parse_budget(options.budget);
  if (!options.theorems.empty()) ledger::read_from(options.theorems);
  engine::Selection selection = options.selection;
  const BroughtClaims brought = bring_claims(selection, options.plugins);
  const engine::Claims& claims = brought.suite.empty() ? engine::all_claims() : brought.suite;
  std::vector<std::string> ids;
  for (const std::string& pattern : selection.patterns) {
    for (std::string& id : ids_meant(pattern, claims)) ids.push_back(std::move(id));
  }
  selection.patterns = std::move(ids);
  const auto plan = engine::select(claims, selection);
  std::vector<engine::TrainedRun> trainings;
  const auto take = [&](const std::vector<engine::TrainedRun>& runs) {
    trainings.insert(trainings.end(), runs.begin(), runs.end());
  };
  for (const ShippedText& shipped : shipped_texts())
    take(engine::parse_trained_runs(shipped.text, fmt::format("simulations/results/{}.json", shipped.name)));
  for (const std::string& file : options.trainings) take(engine::read_trained_runs(file));
  std::optional<StoredRecord> earlier;
  if (!options.since.empty()) earlier = read_record(options.since);
  prepare(options.paths);
  nlohmann::ordered_json document;
  {
    terminal::Progress progress;
    engine::SuiteRun run = engine::run(plan, run_options(options, budget, claims, !brought.suite.empty(), progress));
    engine::judge_by_training(run, trainings, engine::trained_questions());
    document = record_of(run, brought.papers);
    write_evidence_files(run, document, options.paths.directory, terminal::interrupt_flag());
  }
  // A budget in seconds is for verdicts: what is measured on data beside them does not know when to end.
  const bool in_seconds = budget.seconds > 0;
  const bool interrupted = document["suite"]["interrupted"].get<bool>();
  write_record(document, options.paths);
  const terminal::EndOnInterrupt end_on_interrupt([&] { say_interrupted(options.paths); });
  // A corrupt data set must not cost the verdicts of the run: they are written first, then the failure is reported.
  std::exception_ptr measuring_failed;
  if (options.whole_suite() && !options.no_measure && !in_seconds && !interrupted) {
    try {
      document["measurements"] = nlohmann::ordered_json::parse(measurements(options).dump());
    } catch (...) {
      measuring_failed = std::current_exception();
    }
  }
  write_outputs(document, options.paths);
  if (measuring_failed) std::rethrow_exception(measuring_failed);
  const reports::Results results = reports::results_from_json(document, "results.json");
  fmt::print("{}", reports::console_table(results, reports::terminal_of(STDOUT_FILENO)));
  fmt::print("report: {}\n", (options.paths.directory / "report.html").string());
  const int code = exit_code_of(results);
  if (!earlier) return code;
  const bool worse = print_changes(*earlier, {std::move(document), (options.paths.directory / "results.json").string()},
                                   Records::of_the_later);
  return code == terminal::exit_success && worse ? terminal::exit_difference : code;
}

}  // namespace attest::commands
