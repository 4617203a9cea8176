#include "simulations/commands/record_of_run.hpp"

#include <nlohmann/json.hpp>

#include "simulations/terminal/build_facts.hpp"
#include "theorems/engine/registry.hpp"
#include "theorems/engine/runner/record.hpp"
#include "theorems/papers.hpp"

namespace attest::commands {

namespace {

nlohmann::ordered_json titles() {
  nlohmann::ordered_json papers = nlohmann::ordered_json::array();
  for (const engine::Paper& paper : engine::papers()) papers.push_back({{"key", paper.key}, {"title", paper.title}});
  return papers;
}

}  // namespace

nlohmann::ordered_json record_of(const engine::SuiteRun& run) {
  nlohmann::ordered_json document = engine::to_json(run, version);
  document["suite"]["papers"] = titles();
  return document;
}

nlohmann::ordered_json record_without_results() {
  nlohmann::ordered_json claims = nlohmann::ordered_json::array();
  for (const engine::Claim& claim : engine::all_claims()) {
    nlohmann::ordered_json record = engine::statement_to_json(claim);
    record["verdict"] = record["expected"];
    record["evidence"] = nlohmann::ordered_json::object();
    record["witness"] = nullptr;
    record["seconds"] = 0;
    claims.push_back(std::move(record));
  }
  return {{"schema", engine::results_schema},
          {"suite", {{"version", version}, {"seed", 0}, {"budget", "none"}, {"papers", titles()}}},
          {"claims", std::move(claims)}};
}

}  // namespace attest::commands
