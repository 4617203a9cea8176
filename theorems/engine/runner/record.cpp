#include "theorems/engine/runner/record.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "theorems/engine/witness_file.hpp"

namespace attest::engine {
namespace {

using json = nlohmann::ordered_json;

/// JSON has no infinities and no NaN: null stands for a number that is not finite.
json number(double value) { return std::isfinite(value) ? json(value) : json(nullptr); }

json numbers(const std::vector<double>& values) {
  json array = json::array();
  for (const double value : values) array.push_back(number(value));
  return array;
}

json interval_json(const Interval& interval) { return json::array({number(interval.lower), number(interval.upper)}); }

json inputs_json(const Inputs& inputs) {
  json object = json::object();
  for (const auto& [name, values] : inputs.entries()) object[name] = numbers(values);
  return object;
}

json figure_json(const Figure& figure) {
  json series = json::array();
  for (const auto& s : figure.series) {
    json points = json::array();
    for (std::size_t i = 0; i < s.x.size(); ++i) {
      json point = json::array({number(s.x[i]), number(s.y[i])});
      if (!s.lower.empty()) {
        point.push_back(number(s.lower[i]));
        point.push_back(number(s.upper[i]));
      }
      points.push_back(std::move(point));
    }
    series.push_back({{"name", s.name}, {"points", std::move(points)}});
  }
  return {{"name", figure.name},
          {"title", figure.title},
          {"x", {{"label", figure.x_label}, {"scale", figure.x_log ? "log" : "linear"}}},
          {"y", {{"label", figure.y_label}, {"scale", figure.y_log ? "log" : "linear"}}},
          {"series", std::move(series)},
          {"caption", figure.caption}};
}

json body_json(const std::monostate&) { return {{"protocol", "none"}}; }

json body_json(const IdentityEvidence& e) {
  json out = {{"protocol", "identity"},
              {"samples", e.evaluations},
              {"admissible", e.admissible},
              {"statistic", "largest relative residual in double precision"},
              {"estimate", number(e.largest_residual)},
              {"bound", number(e.rounding_bound)},
              {"ball_points", e.ball_points}};
  if (!e.witness) out["accuracy_bits"] = e.accuracy_bits;  // sides that differ agree to no bits
  if (!e.self_test.exact_rewriting.empty()) out["exact_rewriting"] = e.self_test.exact_rewriting;
  return out;
}

/// lhs / rhs where the slack is least, the share of the bound that was attained: above 1 at a violation. NaN (null in
/// the record) when the two sides differ in sign there, so that no ratio describes the violation.
double attained_share(double least_slack) {
  if (least_slack >= 0) return std::max(1 - least_slack, 0.0);
  return least_slack > -1 ? 1 / (1 + least_slack) : std::numeric_limits<double>::quiet_NaN();
}

json body_json(const InequalityEvidence& e) {
  const double least_slack = stated_slack(e);
  json out = {{"protocol", "inequality"},
              {"samples", e.evaluations},
              {"admissible", e.admissible},
              {"statistic", "least relative slack"},
              {"estimate", number(least_slack)},
              {"bound", 0.0},
              {"least_slack", number(least_slack)},
              {"tightness", number(attained_share(least_slack))},
              {"tie", e.tie_at_least_slack},
              {"slack_at", inputs_json(e.slack_at)},
              {"starts", e.starts},
              {"slack_by_phase",
               {{"corners", number(e.slack_by_corners)},
                {"random", number(e.slack_by_random)},
                {"local", number(e.slack_by_local)}}}};
  if (least_slack != e.least_slack) out["rounding"] = number(std::abs(least_slack - e.least_slack));
  return out;
}

json body_json(const CertificationEvidence& e) {
  return {{"protocol", "certification"},
          {"samples", e.boxes},
          {"domain", e.domain},
          {"statistic", "undecided fraction of the domain"},
          {"estimate", number(e.undecided_fraction)},
          {"bound", 0.0}};
}

json body_json(const ExistenceEvidence& e) {
  json out = {{"protocol", "existence"}, {"samples", e.evaluations}, {"admissible", e.admissible}};
  if (e.exhausted) out["domain"] = *e.exhausted;
  return out;
}

json part_json(const ExpectationPart& p) {
  return {{"name", p.name},
          {"samples", p.samples},
          {"estimate", number(p.estimate)},
          {"interval", interval_json(p.interval)},
          {"relation", std::string(symbol(p.relation))},
          {"bound", number(p.bound)},
          {"resolution", number(p.resolution)},
          {"smallest_discrepancy", number(p.smallest_discrepancy)},
          {"alpha", p.alpha}};
}

/// The configuration that comes closest to its bound speaks for the claim in the short fields.
json body_json(const ExpectationEvidence& e) {
  json parts = json::array();
  std::int64_t samples = 0;
  const ExpectationPart* closest = nullptr;
  double smallest_discrepancy = 0;
  const auto closeness = [](const ExpectationPart& p) {
    const bool below = p.relation == Relation::less_equal || p.relation == Relation::less;
    const double scale = std::max(std::abs(p.bound), std::abs(p.estimate));
    const double slack = below ? p.bound - p.estimate : p.estimate - p.bound;
    return (p.relation == Relation::equal ? -std::abs(slack) : slack) / (scale > 0 ? scale : 1);
  };
  for (const auto& p : e.parts) {
    parts.push_back(part_json(p));
    samples += p.samples;
    if (closest == nullptr || closeness(p) < closeness(*closest)) closest = &p;
    smallest_discrepancy = std::max(smallest_discrepancy, p.smallest_discrepancy);
  }
  json out = {{"protocol", "expectation"},
              {"samples", samples},
              {"configurations", std::move(parts)},
              {"false_pass_rate", e.false_pass_rate},
              {"smallest_discrepancy", number(smallest_discrepancy)}};
  if (closest != nullptr) {
    out["statistic"] = "mean, " + closest->name;
    out["estimate"] = number(closest->estimate);
    out["interval"] = interval_json(closest->interval);
    out["bound"] = number(closest->bound);
    out["alpha"] = closest->alpha;
    if (closest->bound != 0) out["tightness"] = number(closest->estimate / closest->bound);
  }
  return out;
}

json body_json(const SequenceEvidence& e) {
  return {{"protocol", "sequence"},
          {"samples", e.n.size()},
          {"statistic", e.quantity},
          {"estimate", number(e.estimate)},
          {"interval", interval_json(e.interval)},
          {"bound", number(e.claimed)},
          {"resolution", number(e.resolution)},
          {"enclosure_radius", number(e.widest)},
          {"one_sided", e.at_most},
          {"against_trend", against_trend(e)},
          {"n", numbers(e.n)},
          {"ratio", numbers(e.ratio)}};
}

json body_json(const CompositeEvidence& e) {
  json parts = json::array();
  std::int64_t samples = 0;
  for (const auto& part : e.parts) {
    json entry = evidence_to_json(*part.evidence);
    if (const auto count = entry.find("samples"); count != entry.end()) samples += count->get<std::int64_t>();
    entry["name"] = part.name;
    entry["verdict"] = std::string(name(part.judgement.verdict));
    entry["reason"] = part.judgement.reason;
    parts.push_back(std::move(entry));
  }
  return {{"protocol", "composite"}, {"samples", samples}, {"parts", std::move(parts)}};
}

/// The near-miss of least delta that fell; nullptr where none did.
const JudgedChange* smallest_change(const StatementEvidence& e) {
  const JudgedChange* least = nullptr;
  for (const auto& change : e.changes)
    if (!change.near_hit && (least == nullptr || change.delta < least->delta)) least = &change;
  return least;
}

json body_json(const StatementEvidence& e) {
  json out = {{"protocol", "statement"}, {"question", e.question}, {"method", e.method}, {"samples", e.evaluations}};
  if (e.least_slack) {
    out["statistic"] = "least relative slack";
    out["estimate"] = number(*e.least_slack);
    out["bound"] = 0.0;
    out["least_slack"] = number(*e.least_slack);
    out["tightness"] = number(attained_share(*e.least_slack));
    out["slack_at"] = inputs_json(e.slack_at);
  }
  for (const auto& [what, value] : e.constants) out["constants"].push_back({{"name", what}, {"value", number(value)}});
  if (const JudgedChange* least = smallest_change(e))
    out["smallest_change_caught"] = {{"name", least->name}, {"statement", least->statement}, {"delta", least->delta}};
  if (e.changes_left_standing > 0) out["changes_left_standing"] = e.changes_left_standing;
  if (!e.remarks.empty()) out["remarks"] = e.remarks;
  return out;
}

json body_json(const AwaitingEvidence& e) { return {{"protocol", "awaiting"}, {"comparison", e.comparison}}; }

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
    witness->variant = "printed";
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

json evidence_to_json(const Evidence& evidence) {
  json out = std::visit([](const auto& body) { return body_json(body); }, evidence.body);
  if (!evidence.measured.empty()) {
    json measured = json::array();
    for (const auto& [what, value] : evidence.measured) measured.push_back({{"name", what}, {"value", number(value)}});
    out["measured"] = std::move(measured);
  }
  if (!evidence.figures.empty()) {
    json figures = json::array();
    for (const auto& figure : evidence.figures) figures.push_back(figure_json(figure));
    out["figures"] = std::move(figures);
  }
  return out;
}

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
          {"statement", s.tex},
          {"assumptions", s.assumptions},
          {"printed", s.printed},
          {"amends", s.amends.empty() ? json(nullptr) : json(s.amends)},
          {"expected", std::string(name(s.expected))},
          {"finding", s.finding == Finding::none ? json(nullptr) : json(std::string(name(s.finding)))},
          {"note", s.note},
          {"depends_on", s.depends_on},
          {"family", claim.family},
          {"protocol", claim.check.protocol},
          {"domain", claim.check.domain ? claim.check.domain() : std::string()},
          {"evidence_file", nullptr},
          {"near_misses", planted(claim.near_misses)},
          {"near_hits", planted(claim.near_hits)}};
}

json to_json(const SuiteRun& run, const std::string& version) {
  json strengths = json::array();
  for (const auto& s : run.search_strength)
    strengths.push_back({{"problem", s.problem}, {"gap", number(s.gap)}, {"evaluations", s.evaluations}});
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
