#include "simulations/commands/explain.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "reports/explain/explanation.hpp"
#include "simulations/terminal/build_facts.hpp"
#include "simulations/terminal/exit_codes.hpp"
#include "theorems/engine/registry.hpp"
#include "theorems/engine/runner/record.hpp"
#include "theorems/engine/runner/runner.hpp"
#include "theorems/known_gaps.hpp"

namespace attest::commands {
namespace {

/// The stored results when they hold the statement, else the statement judged now at the quick budget.
reports::Results results_for(const std::filesystem::path& out, const engine::Claim& claim) {
  const std::filesystem::path stored = out / "results.json";
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
  run.ledger_shares = engine::ledger_shares(engine::all_claims());
  run.known_gaps = &engine::known_gaps();
  return reports::results_from_json(engine::to_json(engine::run({&claim}, run), version), "this run");
}

}  // namespace

int explain(const std::string& id, const std::filesystem::path& out) {
  const engine::Claim& claim = engine::find_claim(id);
  const reports::Results results = results_for(out, claim);
  fmt::print("{}", reports::explanation(results, *reports::find_claim(results, claim.statement.id),
                                        reports::terminal_of(STDOUT_FILENO)));
  return exit_as_recorded;
}

}  // namespace attest::commands
