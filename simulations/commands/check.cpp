// attest check: judges statements and writes what was found.
#include <cstdint>
#include <cstdio>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "reports/explain/console_table.hpp"
#include "simulations/command/common_options.hpp"
#include "simulations/command/evidence/evidence_files.hpp"
#include "simulations/command/output_files.hpp"
#include "simulations/command/record/outputs.hpp"
#include "simulations/command/record/record_changes.hpp"
#include "simulations/command/record/record_of_run.hpp"
#include "simulations/command/record/shipped_texts.hpp"
#include "simulations/command/statements/brought_claims.hpp"
#include "simulations/command/statements/statement_filter.hpp"
#include "simulations/command/verb.hpp"
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

/// The options of `attest check` and of the executables check_<family>.
struct CheckOptions {
  /// A pattern that names a file PAPER.attest brings its claims in and selects them.
  engine::Selection selection;
  std::vector<std::string>
      plugins;           ///< libraries of checks (theorems/engine/plugin.hpp), selected where nothing else is
  std::string theorems;  ///< where the ledger's texts are read from; empty for those of the build
  std::string budget = "standard";
  std::uint64_t seed = 1;
  unsigned threads = 0;  ///< 0: one per core
  std::string device = "cpu";
  std::string data_dir;  ///< where data sets are looked for first
  OutputPaths paths;
  std::vector<std::string> trainings;  ///< summaries of trainings, which may decide what awaits one
  bool mutants = false;                ///< judge the near-misses too; done anyway when the whole suite is judged
  bool no_mutants = false;             ///< never judge them
  std::string since;                   ///< an earlier record to compare with: results.json or its directory
  bool no_measure = false;             ///< leave out the quantities on real input

  /// The main job: every statement, with near-misses and the quantities on real input.
  bool whole_suite() const { return selection.patterns.empty() && selection.paper.empty() && selection.family.empty(); }
};

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

/// Judges, writes every output, prints the table and returns the exit code that the record asks for; with `since` also
/// what changed among the judged statements, and 1 where it is for the worse. Patterns may be the words of labels.
/// Errors: std::invalid_argument (selection, budget, device), DeviceError,
/// reports::IoError, reports::MalformedResults (`since`).
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
  // A disk that fills up meanwhile must not cost the table, nor a corrupt data set the verdicts.
  std::exception_ptr failed;
  const auto keep_failure = [&failed](const auto& work) {
    try {
      work();
    } catch (...) {
      if (!failed) failed = std::current_exception();
    }
  };
  {
    terminal::Progress progress;
    engine::SuiteRun run = engine::run(plan, run_options(options, budget, claims, !brought.suite.empty(), progress));
    engine::judge_by_training(run, trainings, engine::trained_questions());
    document = record_of(run, brought.papers);
    keep_failure([&] { write_evidence_files(run, document, options.paths.directory, terminal::interrupt_flag()); });
  }
  // A budget in seconds is for verdicts: what is measured on data beside them does not know when to end.
  const bool in_seconds = budget.seconds > 0;
  const bool interrupted = document["suite"]["interrupted"].get<bool>();
  keep_failure([&] { write_record(document, options.paths); });
  const terminal::EndOnInterrupt end_on_interrupt([&] { say_interrupted(options.paths); });
  if (options.whole_suite() && !options.no_measure && !in_seconds && !interrupted)
    keep_failure([&] { document["measurements"] = nlohmann::ordered_json::parse(measurements(options).dump()); });
  keep_failure([&] { write_outputs(document, options.paths); });
  const reports::Results results = reports::results_from_json(document, "results.json");
  fmt::print("{}", reports::console_table(results, reports::terminal_of(STDOUT_FILENO)));
  if (failed) std::rethrow_exception(failed);
  fmt::print("report: {}\n", (options.paths.directory / "report.html").string());
  const int code = exit_code_of(results);
  if (!earlier) return code;
  const bool worse = print_changes(*earlier, {std::move(document), (options.paths.directory / "results.json").string()},
                                   Records::of_the_later);
  return code == terminal::exit_success && worse ? terminal::exit_difference : code;
}

}  // namespace

void add_check(CLI::App& verb, Chosen& chosen, const char* family) {
  auto& o = options_for<CheckOptions>(verb, chosen, check);
  o.selection.family = family;
  verb.add_option("statements", o.selection.patterns,
                  "ids, globs over ids (quote them), labels, or files PAPER.attest; all statements when none is given");
  verb.add_option("--paper", o.selection.paper, "only this paper's statements, by the first part of their ids");
  verb.add_option("--plugin", o.plugins,
                  "a library of checks of your own (see CONTRIBUTING.md); may be repeated; judged alone unless "
                  "statements are named")
      ->allow_extra_args(false);
  verb.add_option("--theorems", o.theorems,
                  "folder whose files FOLDER/NAME.attest replace the built-in statements that are text");
  add_budget(verb, o.budget);
  add_seed(verb, o.seed);
  add_threads(verb, o.threads);
  verb.add_option("--device", o.device, "cpu or cuda")->capture_default_str();
  add_data_dir(verb, o.data_dir);
  verb.add_option("--training", o.trainings,
                  "summary.json of a training; may be repeated: judges statements that await trained models");
  add_output_folder(verb, "--out", o.paths.directory, "folder for results, witnesses and report")
      ->capture_default_str();
  add_output_file(verb, "--json", o.paths.json, "also write results.json to this file");
  add_output_file(verb, "--junit", o.paths.junit, "also write junit.xml to this file");
  add_output_file(verb, "--sarif", o.paths.sarif,
                  "also write what makes the exit code 1 to this file, as SARIF: each beside its statement's line");
  CLI::Option* mutants = verb.add_flag(
      "--mutants", o.mutants, "also judge every planted near-miss (the default when the whole suite is judged)");
  verb.add_flag("--no-mutants", o.no_mutants, "leave the near-misses out")->excludes(mutants);
  verb.add_option(
      "--since", o.since,
      "an earlier record, results.json or its folder: prints what changed; exit code 1 if a verdict became weaker");
  verb.add_flag("--no-measure", o.no_measure, "leave out the quantities on real input");
  verb.footer(
      "Exit codes: 0 every verdict is the recorded one; 1 a verdict differs or a near-miss was not refuted; 2 wrong "
      "usage or bad input; 3 a file or device failed; 130 interrupted.");
}

namespace definitions {

Verb check_verb() {
  return {"check", "judge statements and write the evidence",
          [](CLI::App& verb, Chosen& chosen) { add_check(verb, chosen, ""); }};
}

}  // namespace definitions
}  // namespace attest::commands
