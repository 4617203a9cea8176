#include "theorems/engine/runner/record.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "theorems/engine/witness_file.hpp"

namespace attest::engine {
namespace {

using json = nlohmann::ordered_json;

json neighbours_json(const std::vector<NeighbourResult>& results, bool near_misses) {
  json array = json::array();
  for (const auto& result : results) {
    json entry = {{"name", result.name},
                  {"delta", result.delta},
                  {"verdict", std::string(name(result.judgement.verdict))},
                  {"reason", result.judgement.reason}};
    if (near_misses) entry["caught"] = result.caught;
    if (!result.parts.empty()) entry["parts"] = result.parts;
    array.push_back(std::move(entry));
  }
  return array;
}

json breaks_json(const RuleBreaks& breaks) {
  json out = json::object();
  const auto add = [&](const char* key, const std::vector<std::string>& names) {
    if (!names.empty()) out[key] = names;
  };
  add("parts_without_near_miss", breaks.parts_without_near_miss);
  add("idle_near_misses", breaks.idle_near_misses);
  if (breaks.no_near_hit) out["no_near_hit"] = true;
  add("against_itself", breaks.against_itself);
  add("blind_searches", breaks.blind_searches);
  return out;
}

/// What the statements inside say that they searched; empty where there is none.
std::string searched(const Evidence& evidence) {
  std::string text;
  for (const StatementPart& part : statement_parts(evidence)) {
    if (part.evidence->domain.empty()) continue;
    text += fmt::format("{}{}{}", text.empty() ? "" : " ", part.path.empty() ? "" : part.path + ": ",
                        part.evidence->domain);
  }
  return text;
}

json claim_json(const ClaimResult& result, bool near_misses) {
  json out = statement_to_json(*result.claim);
  if (const std::string domain = searched(result.evidence); !domain.empty()) out["domain"] = domain;
  if (result.claim->statement.expected_to_stand && result.as_expected())
    out["expected"] = std::string(name(result.judgement.verdict));
  out["verdict"] = std::string(name(result.judgement.verdict));
  json evidence = evidence_to_json(result.evidence);
  evidence["reason"] = result.judgement.reason;
  evidence["would_change"] = result.judgement.would_change;
  out["evidence"] = std::move(evidence);
  out["witness"] = nullptr;
  if (auto witness = witness_of(result.evidence)) {
    witness->claim = result.claim->statement.id;
    witness->neighbour = "printed";
    out["witness"] = witness_to_json(*witness);
    out["witness"]["replay"] = "./attest replay witnesses/" + witness_file_name(witness->claim);
  }
  if (near_misses) {
    out["mutants"] = neighbours_json(result.near_misses, true);
    out["near_hits"] = neighbours_json(result.near_hits, false);
  }
  if (!result.breaks.none()) out["owes"] = breaks_json(result.breaks);
  out["seconds"] = result.seconds;
  return out;
}

}  // namespace

json statement_to_json(const Claim& claim) {
  const Statement& s = claim.statement;
  const auto planted = [](const std::vector<Neighbour>& neighbours) {
    json array = json::array();
    for (const auto& neighbour : neighbours) array.push_back({{"name", neighbour.name}, {"delta", neighbour.delta}});
    return array;
  };
  return {{"id", s.id},
          {"paper", s.paper()},
          {"label", s.label},
          {"title", s.title},
          {"kind", std::string(name(s.kind))},
          {"statement", s.tex.get()},
          {"assumptions", s.assumptions},
          {"printed", s.printed},
          {"amends", s.amends.empty() ? json(nullptr) : json(s.amends)},
          {"expected", std::string(name(s.expected))},
          {"finding", s.finding == Finding::none ? json(nullptr) : json(std::string(name(s.finding)))},
          {"note", s.note},
          {"depends_on", s.depends_on},
          {"family", claim.family},
          {"source", claim.source},
          {"protocol", claim.check.protocol},
          {"domain", claim.check.domain ? claim.check.domain() : std::string()},
          {"evidence_file", nullptr},
          {"near_misses", planted(claim.near_misses)},
          {"near_hits", planted(claim.near_hits)}};
}

json to_json(const SuiteRun& run, const std::string& version) {
  json strengths = json::array();
  for (const auto& s : run.search_strength)
    strengths.push_back({{"problem", s.problem},
                         {"gap", (std::isfinite(s.gap) ? json(s.gap) : json(nullptr))},
                         {"evaluations", s.evaluations}});
  json claims = json::array();
  for (const auto& result : run.results) claims.push_back(claim_json(result, run.near_misses));
  return {{"schema", results_schema},
          {"suite",
           {{"version", version},
            {"seed", run.seed},
            {"budget", run.budget.name},
            {"effort", run.effort},
            {"device", "cpu"},
            {"threads", run.threads},
            {"near_misses", run.near_misses},
            {"alpha_per_claim", run.alpha_per_claim},
            {"false_alarm_bound", run.false_alarm_bound},
            {"trained_false_alarm_bound", run.trained_false_alarm_bound},
            {"search_strength", std::move(strengths)},
            {"started", run.started},
            {"seconds", run.seconds},
            {"interrupted", run.interrupted}}},
          {"claims", std::move(claims)}};
}

std::string witness_file_name(const std::string& claim_id) {
  std::string file = claim_id;
  std::replace(file.begin(), file.end(), '/', '-');
  return file + ".json";
}

}  // namespace attest::engine
