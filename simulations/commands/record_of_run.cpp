#include "simulations/commands/record_of_run.hpp"

#include <nlohmann/json.hpp>

#include "simulations/terminal/build_facts.hpp"
#include "theorems/engine/runner/record.hpp"
#include "theorems/papers.hpp"

namespace attest::commands {

nlohmann::ordered_json record_of(const engine::SuiteRun& run) {
  nlohmann::ordered_json document = engine::to_json(run, version);
  nlohmann::ordered_json papers = nlohmann::ordered_json::array();
  for (const engine::Paper& paper : engine::papers()) papers.push_back({{"key", paper.key}, {"title", paper.title}});
  document["suite"]["papers"] = std::move(papers);
  return document;
}

}  // namespace attest::commands
