#include "simulations/commands/check.hpp"

#include <cstdio>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "simulations/commands/exit_codes.hpp"
#include "simulations/commands/interrupt.hpp"
#include "simulations/commands/version.hpp"
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
  std::string out = "out";
  std::string json;
  bool mutants = false;
};

int check(const CheckOptions& options) {
  engine::RunOptions run_options;
  run_options.seed = options.seed;
  run_options.budget = engine::parse_budget(options.budget);
  run_options.threads = options.threads;
  run_options.near_misses = options.mutants;
  run_options.suite_size = engine::all_claims().size();
  run_options.interrupted = &interrupt_flag();
  const engine::SuiteRun run = engine::run(engine::select(engine::all_claims(), options.selection), run_options);
  for (const auto& result : run.results) {
    fmt::print("{:10} {:9} {}  [{}]  {:.2f} s\n           {}\n", engine::name(result.judgement.verdict),
               result.judgement.verdict == result.claim->statement.expected ? "" : "UNEXPECTED",
               result.claim->statement.id, result.claim->statement.label, result.seconds, result.judgement.reason);
    for (const auto& miss : result.near_misses)
      fmt::print("    near-miss {:10} delta {:.3g}  {}{}\n", engine::name(miss.judgement.verdict), miss.delta,
                 miss.name, miss.judgement.verdict == engine::Verdict::refuted ? "" : ": " + miss.judgement.reason);
  }
  if (!options.json.empty()) {
    std::FILE* file = std::fopen(options.json.c_str(), "w");
    if (file != nullptr) {
      fmt::print(file, "{}\n", engine::to_json(run, version).dump(1));
      std::fclose(file);
    }
  }
  if (run.interrupted) return exit_interrupted;
  return run.as_expected() ? exit_as_recorded : exit_unexpected;
}

}  // namespace

void add_check(CLI::App& app, int& exit_code, const std::string& family) {
  const auto options = std::make_shared<CheckOptions>();
  options->selection.family = family;
  app.add_option("statements", options->selection.patterns,
                 "ids, globs over ids (quote them) or labels; all statements when none is given");
  app.add_option("--paper", options->selection.paper,
                 "only this paper's statements: boosting, primal-dual, twicing, probdr");
  app.add_option("--budget", options->budget, "quick, standard, deep or a number of seconds such as 90s")
      ->capture_default_str();
  app.add_option("--seed", options->seed, "seed of all random streams")->capture_default_str();
  app.add_option("--threads", options->threads, "threads, 0 for one a core; never changes a result")
      ->capture_default_str();
  app.add_option("--out", options->out, "directory for results and report")->capture_default_str();
  app.add_option("--json", options->json, "also write the results to this file");
  app.add_flag("--mutants", options->mutants, "also judge every planted near-miss");
  app.callback([options, &exit_code] { exit_code = check(*options); });
}

}  // namespace attest::commands
