// What a check brought home, as JSON (declared in record.hpp).
#include <algorithm>
#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "theorems/engine/runner/record.hpp"

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

}  // namespace attest::engine
