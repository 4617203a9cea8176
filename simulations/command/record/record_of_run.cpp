#include "simulations/command/record/record_of_run.hpp"

#include <algorithm>
#include <set>
#include <string>

#include <nlohmann/json.hpp>

#include "reports/text/shell_word.hpp"
#include "simulations/command/record/provenance.hpp"
#include "simulations/command/statements/drawn_variables.hpp"
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

/// The file that a claim stands in: its source is "FILE:LINE".
std::string file_of(const nlohmann::ordered_json& claim) {
  const std::string source = claim.value("source", "");
  return source.substr(0, source.rfind(':'));
}

/// Whether the claim stands in one of the user's files.
bool is_of(const nlohmann::ordered_json& claim, const std::vector<ledger::Paper>& users) {
  return file_of(claim).ends_with(".attest") &&
         std::ranges::any_of(users, [&](const ledger::Paper& paper) { return claim.at("paper") == paper.key; });
}

/// Says of each witness which of its variables are random: their stored values mean nothing.
void name_drawn_variables(nlohmann::ordered_json& claims, const std::vector<ledger::Paper>& users) {
  for (nlohmann::ordered_json& claim : claims) {
    // Random variables are written with the sign of their law.
    if (claim.at("witness").is_null() || claim.value("statement", "").find("\\sim") == std::string::npos) continue;
    const std::string id = claim.at("id");
    const std::set<std::string> drawn = drawn_variables(id, is_of(claim, users) ? file_of(claim) : "");
    if (!drawn.empty()) claim["witness"]["drawn"] = drawn;
  }
}

/// Adds to the replay commands of claims from the user's files the file, without which nobody can read the claim.
void name_papers_to_replay_with(nlohmann::ordered_json& claims, const std::vector<ledger::Paper>& users) {
  for (nlohmann::ordered_json& claim : claims) {
    if (!is_of(claim, users) || claim.at("witness").is_null()) continue;
    claim["witness"]["replay"] =
        claim["witness"]["replay"].get<std::string>() + " " + reports::shell_word(file_of(claim));
  }
}

}  // namespace

nlohmann::ordered_json record_of(const engine::SuiteRun& run, const std::vector<ledger::Paper>& further) {
  nlohmann::ordered_json document = engine::to_json(run, terminal::version);
  document["suite"]["papers"] = titles(further);
  name_drawn_variables(document["claims"], further);
  name_papers_to_replay_with(document["claims"], further);
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
