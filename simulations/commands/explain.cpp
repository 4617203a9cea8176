#include "simulations/commands/explain.hpp"

#include <filesystem>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "reports/explanation.hpp"
#include "simulations/commands/build_facts.hpp"
#include "simulations/commands/exit_codes.hpp"
#include "theorems/engine/record.hpp"
#include "theorems/engine/registry.hpp"
#include "theorems/engine/runner.hpp"

namespace attest::commands {
namespace {

struct ExplainOptions {
  std::string id;
  std::filesystem::path out = "out";
};

/// The stored results when they hold the statement, else the statement judged now at the quick budget.
reports::Results results_for(const ExplainOptions& options, const engine::Claim& claim) {
  const std::filesystem::path stored = options.out / "results.json";
  if (std::filesystem::exists(stored)) {
    reports::Results results = reports::load_results(stored);
    if (reports::find_claim(results, claim.statement.id) != nullptr) {
      fmt::print("(evidence of the run stored in {})\n\n", stored.string());
      return results;
    }
  }
  fmt::print("(no stored run holds this statement: judged now at the quick budget)\n\n");
  engine::RunOptions run;
  run.budget = engine::parse_budget("quick");
  run.near_misses = true;
  run.suite_size = engine::all_claims().size();
  return reports::results_from_json(engine::to_json(engine::run({&claim}, run), version), "this run");
}

void explain(const ExplainOptions& options) {
  const engine::Claim& claim = engine::find_claim(options.id);
  const reports::Results results = results_for(options, claim);
  fmt::print("{}", reports::explanation(results, *reports::find_claim(results, claim.statement.id),
                                        reports::terminal_of(STDOUT_FILENO)));
}

}  // namespace

void add_explain(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<ExplainOptions>();
  app.add_option("id", options->id, "the statement's id; attest list shows them all")->required();
  app.add_option("--out", options->out, "directory of the run whose evidence is shown")->capture_default_str();
  app.callback([options, &exit_code] {
    explain(*options);
    exit_code = exit_as_recorded;
  });
}

}  // namespace attest::commands
