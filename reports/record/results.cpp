#include "reports/record/results.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "reports/files/json_place.hpp"
#include "reports/record/read_measurement.hpp"
#include "reports/text/numbers.hpp"

namespace attest::reports {
namespace {

Verdict read_verdict(const JsonPlace& place) {
  const std::string word = place.string();
  if (const auto verdict = verdict_named(word)) return *verdict;
  std::string known;
  for (const Verdict verdict : all_verdicts) known += (known.empty() ? "" : ", ") + std::string(name(verdict));
  place.reject(fmt::format("is \"{}\", expected one of {}", word, known));
}

/// The text of a member, whatever its type; empty when there is none.
std::string text_or_empty(const JsonPlace& place, const std::string& key) {
  const auto member = place.find(key);
  return member ? member->text() : std::string();
}

std::string readable_key(std::string key) {
  std::replace(key.begin(), key.end(), '_', ' ');
  return key;
}

struct NumberField {
  const char* key;
  std::optional<double> Evidence::*field;
};

constexpr auto number_fields = std::to_array<NumberField>({
    {"samples", &Evidence::samples},
    {"evaluations", &Evidence::evaluations},
    {"admissible", &Evidence::admissible},
    {"estimate", &Evidence::estimate},
    {"bound", &Evidence::bound},
    {"tightness", &Evidence::tightness},
    {"least_slack", &Evidence::least_slack},
    {"smallest_discrepancy", &Evidence::smallest_discrepancy},
    {"accuracy_bits", &Evidence::accuracy_bits},
    {"false_pass_rate", &Evidence::false_pass_rate},
    {"alpha", &Evidence::alpha},
    {"resolution", &Evidence::resolution},
});

struct TextField {
  const char* key;
  std::string Evidence::*field;
};

constexpr auto text_fields = std::to_array<TextField>({
    {"protocol", &Evidence::protocol},
    {"reason", &Evidence::reason},
    {"would_change", &Evidence::would_change},
    {"statistic", &Evidence::statistic},
    {"domain", &Evidence::domain},
    {"slack_at", &Evidence::slack_at},
});

/// Takes the member into its own field; false when it has none (or is not a number where one is expected).
bool read_field(const std::string& key, const JsonPlace& place, Evidence& evidence) {
  for (const auto& [field_key, field] : number_fields) {
    if (key != field_key || !place.is_number()) continue;
    evidence.*field = place.number();
    return true;
  }
  for (const auto& [field_key, field] : text_fields) {
    if (key != field_key) continue;
    evidence.*field = place.text();
    return true;
  }
  return false;
}

std::optional<Interval> read_interval(const JsonPlace& place) {
  const auto ends = place.elements();
  if (ends.size() != 2) place.reject(fmt::format("has {}, expected [lower, upper]", counted(std::ssize(ends), "end")));
  // An infinite end is stored as null, and so is an end that is not a number: either way it bounds nothing.
  const double lower = ends[0].number();
  const double upper = ends[1].number();
  if (std::isnan(lower) && std::isnan(upper)) return std::nullopt;
  return Interval{std::isnan(lower) ? -HUGE_VAL : lower, std::isnan(upper) ? HUGE_VAL : upper};
}

Evidence read_evidence(const JsonPlace& place, const std::set<std::string>& not_evidence = {}) {
  Evidence evidence;
  for (const auto& [key, member] : place.members()) {
    if (member.is_null() || not_evidence.count(key) != 0 || read_field(key, member, evidence)) continue;
    if (key == "interval" && member.is_array()) {
      evidence.interval = read_interval(member);
    } else if (key == "tie") {
      evidence.attained = member.boolean();
    } else if (key == "figures") {
      evidence.figures = read_figures(place);
    } else if ((key == "parts" || key == "configurations") && member.is_array()) {
      for (const JsonPlace& part : member.elements()) {
        const auto verdict = part.find("verdict");
        evidence.parts.push_back({part.at("name").string(),
                                  verdict ? std::optional(read_verdict(*verdict)) : std::nullopt,
                                  read_evidence(part, {"name", "verdict"})});
      }
    } else if (key == "n" && member.is_array() && place.find("ratio")) {
      evidence.grid = member.numbers();
      evidence.ratio = place.at("ratio").numbers();
      if (evidence.grid.size() != evidence.ratio.size()) place.reject("has lists n and ratio of different lengths");
    } else if (key == "ratio" && !evidence.grid.empty()) {
      continue;
    } else if (key == "measured" && member.is_array()) {
      for (const JsonPlace& quantity : member.elements()) {
        evidence.further.push_back({quantity.at("name").string(), quantity.at("value").text()});
      }
    } else if (const auto name = member.is_object() ? member.find("name") : std::nullopt; name) {
      // A change of the statement: its name says what was changed, and by how much.
      evidence.further.push_back({readable_key(key), name->text()});
    } else {
      evidence.further.push_back({readable_key(key), member.text()});
    }
  }
  return evidence;
}

std::vector<std::pair<std::string, std::vector<std::string>>> read_vectors(const JsonPlace& place,
                                                                           const std::string& key) {
  std::vector<std::pair<std::string, std::vector<std::string>>> vectors;
  const auto object = place.find(key);
  if (!object) return vectors;
  for (const auto& [name, value] : object->members()) {
    std::vector<std::string> texts;
    if (value.is_array()) {
      for (const JsonPlace& element : value.elements()) texts.push_back(element.text());
    } else {
      texts.push_back(value.text());
    }
    vectors.emplace_back(name, std::move(texts));
  }
  return vectors;
}

Witness read_witness(const JsonPlace& place) {
  Witness witness;
  witness.variant = place.string_or_empty("variant");
  witness.part = place.string_or_empty("part");
  witness.kind = place.string_or_empty("kind");
  witness.relation = place.string_or_empty("relation");
  witness.left = text_or_empty(place, "lhs");
  witness.right = text_or_empty(place, "rhs");
  witness.margin = text_or_empty(place, "margin");
  witness.replay = place.string_or_empty("replay");
  witness.precision_bits = place.count_if_any("precision_bits");
  if (const auto drawn = place.find("drawn")) witness.drawn = drawn->strings();
  witness.inputs = read_vectors(place, "inputs");
  std::erase_if(witness.inputs, [&](const auto& input) { return std::ranges::count(witness.drawn, input.first) > 0; });
  // The document spells inputs in decimals, too; only what is not an input is news.
  for (auto& value : read_vectors(place, "values")) {
    const bool is_input = std::any_of(witness.inputs.begin(), witness.inputs.end(),
                                      [&](const auto& input) { return input.first == value.first; });
    const bool is_drawn = std::ranges::count(witness.drawn, value.first) > 0;
    if (!is_input && !is_drawn) witness.values.push_back(std::move(value));
  }
  return witness;
}

NearMiss read_near_miss(const JsonPlace& place) {
  NearMiss near_miss;
  near_miss.name = place.at("name").string();
  if (const auto verdict = place.find("verdict")) near_miss.verdict = read_verdict(*verdict);
  near_miss.reason = place.string_or_empty("reason");
  near_miss.parts = place.strings_if_any("parts");
  const auto caught = place.find("caught");
  near_miss.caught = caught ? caught->boolean() : near_miss.verdict == Verdict::refuted;
  if (const auto delta = place.find("delta")) {
    near_miss.delta_text = delta->text();
    if (delta->is_number()) near_miss.delta = delta->number();
  }
  return near_miss;
}

Claim read_claim(const JsonPlace& place) {
  Claim claim;
  claim.id = place.at("id").string();
  claim.paper = place.at("paper").string();
  claim.label = place.at("label").string();
  claim.title = place.at("title").string();
  claim.kind = place.at("kind").string();
  claim.family = place.string_or_empty("family");
  claim.note = place.string_or_empty("note");
  claim.protocol = place.string_or_empty("protocol");
  claim.statement = place.at("statement").string();
  claim.assumptions = place.at("assumptions").strings();
  claim.printed = place.at("printed").boolean();
  if (const auto amends = place.find("amends")) claim.amends = amends->string();
  claim.depends_on = place.strings_if_any("depends_on");
  claim.verdict = read_verdict(place.at("verdict"));
  claim.expected = read_verdict(place.at("expected"));
  claim.evidence = read_evidence(place.at("evidence"));
  if (claim.protocol.empty()) claim.protocol = claim.evidence.protocol;
  if (const auto witness = place.find("witness")) claim.witness = read_witness(*witness);
  // Judged near-misses where there are any; else the ones that were planted.
  const auto mutants = place.find("mutants");
  if (const auto near_misses = mutants ? mutants : place.find("near_misses")) {
    for (const JsonPlace& near_miss : near_misses->elements()) claim.near_misses.push_back(read_near_miss(near_miss));
  }
  if (const auto near_hits = place.find("near_hits")) {
    for (const JsonPlace& near_hit : near_hits->elements()) claim.near_hits.push_back(read_near_miss(near_hit));
  }
  claim.finding = place.string_or_empty("finding");
  claim.source = place.string_or_empty("source");
  claim.domain = place.string_or_empty("domain");
  if (const auto owes = place.find("owes")) {
    for (const auto& [key, value] : owes->members()) claim.owes.push_back({readable_key(key), value.text()});
  }
  if (const auto file = place.find("evidence_file")) claim.evidence_file = file->string();
  claim.no_evidence = place.string_or_empty("no_evidence");
  claim.seconds = place.at("seconds").number();
  return claim;
}

/// The papers of the claims: first those that the document lists, in its order, then the others as they
/// occur, with the key as title.
std::vector<Paper> read_papers(const JsonPlace& suite, const std::vector<Claim>& claims) {
  std::vector<Paper> papers;
  const auto there = [](const auto& list, const std::string& key, auto field) {
    return std::any_of(list.begin(), list.end(), [&](const auto& each) { return each.*field == key; });
  };
  if (const auto listed = suite.find("papers")) {
    for (const JsonPlace& place : listed->elements()) {
      const std::string key = place.at("key").string();
      if (there(papers, key, &Paper::key)) place.at("key").reject(fmt::format("repeats the paper \"{}\"", key));
      if (there(claims, key, &Claim::paper)) papers.push_back({key, place.at("title").string()});
    }
  }
  for (const Claim& claim : claims)
    if (!there(papers, claim.paper, &Paper::key)) papers.push_back({claim.paper, claim.paper});
  return papers;
}

Suite read_suite(const JsonPlace& place) {
  Suite suite;
  suite.version = place.at("version").string();
  suite.seed = place.at("seed").text();
  suite.budget = place.at("budget").text();
  suite.device = place.string_or_empty("device");
  suite.started = text_or_empty(place, "started");
  suite.threads = place.count_if_any("threads");
  suite.seconds = place.number_if_any("seconds");
  suite.false_alarm_bound = place.number_if_any("false_alarm_bound");
  suite.trained_false_alarm_bound = place.number_if_any("trained_false_alarm_bound");
  suite.alpha_per_claim = place.number_if_any("alpha_per_claim");
  suite.effort = place.number_if_any("effort");
  if (const auto near_misses = place.find("near_misses")) suite.near_misses_judged = near_misses->boolean();
  if (const auto interrupted = place.find("interrupted")) suite.interrupted = interrupted->boolean();
  return suite;
}

}  // namespace

Results results_from_json(const nlohmann::ordered_json& document, std::string_view source) {
  const JsonPlace root(document, source);
  const JsonPlace schema = root.at("schema");
  if (schema.text() != results_schema) {
    schema.reject(fmt::format(R"(is "{}", but this program reads "{}" only)", schema.text(), results_schema));
  }
  Results results;
  results.suite = read_suite(root.at("suite"));
  std::set<std::string> ids;
  for (const JsonPlace& place : root.at("claims").elements()) {
    results.claims.push_back(read_claim(place));
    if (!ids.insert(results.claims.back().id).second) {
      place.at("id").reject(fmt::format("repeats the id \"{}\" of another claim", results.claims.back().id));
    }
  }
  results.papers = read_papers(root.at("suite"), results.claims);
  if (const auto measurements = root.find("measurements")) {
    for (const JsonPlace& place : measurements->elements()) results.measurements.push_back(read_measurement(place));
  }
  return results;
}

const Claim* find_claim(const Results& results, std::string_view id) {
  const auto found =
      std::find_if(results.claims.begin(), results.claims.end(), [&](const Claim& claim) { return claim.id == id; });
  return found == results.claims.end() ? nullptr : &*found;
}

const std::string& paper_title(const Results& results, const std::string& key) {
  for (const Paper& paper : results.papers)
    if (paper.key == key) return paper.title;
  return key;
}

std::vector<const Claim*> amendments_of(const Results& results, const Claim& claim) {
  std::vector<const Claim*> amendments;
  for (const Claim& other : results.claims) {
    if (other.amends == claim.id) amendments.push_back(&other);
  }
  return amendments;
}

}  // namespace attest::reports
