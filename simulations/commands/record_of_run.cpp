#include "simulations/commands/record_of_run.hpp"

#include <nlohmann/json.hpp>

#include "simulations/commands/provenance.hpp"
#include "simulations/terminal/build_facts.hpp"
#include "theorems/engine/runner/record.hpp"

namespace attest::commands {

nlohmann::ordered_json record_of(const engine::SuiteRun& run, const std::vector<ledger::Paper>& further) {
  nlohmann::ordered_json document = engine::to_json(run, version);
  nlohmann::ordered_json papers = nlohmann::ordered_json::array();
  for (const auto* list : {&ledger::papers(), &further})
    for (const ledger::Paper& paper : *list)
      papers.push_back({{"key", paper.key}, {"title", paper.title}, {"authors", paper.authors}, {"link", paper.link}});
  document["suite"]["papers"] = std::move(papers);
  add_provenance(document);
  return document;
}

}  // namespace attest::commands
