#include "simulations/command/record/record_of_run.hpp"

#include <nlohmann/json.hpp>

#include "simulations/command/record/provenance.hpp"
#include "simulations/terminal/build_facts.hpp"
#include "theorems/engine/runner/record.hpp"

namespace attest::commands {

namespace {

nlohmann::ordered_json titles(const std::vector<ledger::Paper>& further) {
  nlohmann::ordered_json papers = nlohmann::ordered_json::array();
  for (const auto* list : {&ledger::papers(), &further})
    for (const ledger::Paper& paper : *list)
      papers.push_back({{"key", paper.key}, {"title", paper.title}, {"authors", paper.authors}, {"link", paper.link}});
  return papers;
}

}  // namespace

nlohmann::ordered_json record_of(const engine::SuiteRun& run, const std::vector<ledger::Paper>& further) {
  nlohmann::ordered_json document = engine::to_json(run, terminal::version);
  document["suite"]["papers"] = titles(further);
  add_provenance(document);
  return document;
}

nlohmann::ordered_json record_without_results(const std::vector<const engine::Claim*>& shown,
                                              const std::vector<ledger::Paper>& further) {
  nlohmann::ordered_json claims = nlohmann::ordered_json::array();
  for (const engine::Claim* claim : shown) {
    nlohmann::ordered_json record = engine::statement_to_json(*claim);
    record["verdict"] = record["expected"];
    record["evidence"] = nlohmann::ordered_json::object();
    record["witness"] = nullptr;
    record["seconds"] = 0;
    claims.push_back(std::move(record));
  }
  return {{"schema", engine::results_schema},
          {"suite", {{"version", terminal::version}, {"seed", 0}, {"budget", "none"}, {"papers", titles(further)}}},
          {"claims", std::move(claims)}};
}

}  // namespace attest::commands
