#include "simulations/command/record/recorded_statements.hpp"

#include <array>
#include <set>
#include <string>

#include <nlohmann/json.hpp>

namespace attest::commands {
namespace {

using engine::Finding;
using engine::Kind;
using engine::Verdict;
using nlohmann::ordered_json;

constexpr std::array kinds = {Kind::identity,
                              Kind::universal_inequality,
                              Kind::rate,
                              Kind::limit,
                              Kind::expectation_bound,
                              Kind::optimality,
                              Kind::existence,
                              Kind::definition,
                              Kind::implication,
                              Kind::figure,
                              Kind::cost_model};
constexpr std::array findings = {Finding::error, Finding::constant,  Finding::assumption,
                                 Finding::slip,  Finding::imprecise, Finding::unsupported};
constexpr std::array verdicts = {Verdict::certified, Verdict::supported, Verdict::refuted,
                                 Verdict::undecided, Verdict::vacuous,   Verdict::error};

std::string text(const ordered_json& claim, const char* key) {
  const auto at = claim.find(key);
  return at != claim.end() && at->is_string() ? at->get<std::string>() : "";
}

template <typename Word, std::size_t count>
Word word(const std::array<Word, count>& all, const std::string& name, Word otherwise) {
  for (const Word each : all)
    if (engine::name(each) == name) return each;
  return otherwise;
}

}  // namespace

engine::Claims recorded_statements(const ordered_json& record, const engine::Claims& known) {
  std::set<std::string> taken;
  for (const engine::Claim& claim : known) taken.insert(claim.statement.id);
  engine::Claims found;
  for (const ordered_json& claim : record.at("claims")) {
    if (taken.contains(text(claim, "id"))) continue;
    engine::Claim made;
    engine::Statement& s = made.statement;
    s.id = text(claim, "id");
    s.label = text(claim, "label");
    s.title = text(claim, "title");
    s.tex = text(claim, "statement");
    s.kind = word(kinds, text(claim, "kind"), Kind::identity);
    s.expected = word(verdicts, text(claim, "expected"), Verdict::supported);
    s.finding = word(findings, text(claim, "finding"), Finding::none);
    s.amends = text(claim, "amends");
    s.note = text(claim, "note");
    for (const ordered_json& each : claim.value("assumptions", ordered_json::array()))
      if (each.is_string()) s.assumptions.push_back(each.get<std::string>());
    found.push_back(std::move(made));
  }
  return found;
}

}  // namespace attest::commands
