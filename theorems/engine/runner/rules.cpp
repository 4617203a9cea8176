#include "theorems/engine/runner/rules.hpp"

#include <algorithm>
#include <exception>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace attest::engine {
namespace {

/// A part that has no parts itself; of a claim without parts the claim, with an empty path.
struct Leaf {
  std::string path;
  const Evidence* evidence;
  Judgement judgement;
};

void collect(const Evidence& evidence, const Judgement& judgement, const std::string& path, std::vector<Leaf>& leaves) {
  const auto* composite = std::get_if<CompositeEvidence>(&evidence.body);
  if (composite == nullptr) {
    leaves.push_back({path, &evidence, judgement});
    return;
  }
  for (const auto& part : composite->parts)
    collect(*part.evidence, part.judgement, path.empty() ? part.name : path + " / " + part.name, leaves);
}

std::vector<Leaf> leaves_of(const Evidence& evidence, const Judgement& judgement) {
  std::vector<Leaf> leaves;
  collect(evidence, judgement, "", leaves);
  return leaves;
}

bool speaks_against(const Leaf& leaf) {
  if (leaf.judgement.verdict == Verdict::refuted) return true;
  // A limit whose trend is against it is undecided; the referee's own judgement says which way it points.
  const auto* statement = std::get_if<StatementEvidence>(&leaf.evidence->body);
  if (statement != nullptr) return statement->judgement.verdict == Verdict::refuted;
  const auto* sequence = std::get_if<SequenceEvidence>(&leaf.evidence->body);
  return leaf.judgement.verdict == Verdict::undecided && sequence != nullptr && against_trend(*sequence);
}

/// What to call a leaf in a list: a claim without parts is meant as a whole.
std::string called(const Leaf& leaf) { return leaf.path.empty() ? "the check" : leaf.path; }

/// Whether the check changed its statement by itself and saw one of the changes fall.
bool shows_own_power(const Leaf& leaf) {
  const auto* statement = std::get_if<StatementEvidence>(&leaf.evidence->body);
  return statement != nullptr && std::any_of(statement->changes.begin(), statement->changes.end(),
                                             [](const JudgedChange& change) { return !change.near_hit; });
}

/// A certain point is all that an existence needs: there is nothing that a near-miss would show.
bool established_by_a_point(const Leaf& leaf) {
  const auto* statement = std::get_if<StatementEvidence>(&leaf.evidence->body);
  return statement != nullptr && statement->question == "existential" && leaf.judgement.verdict == Verdict::certified;
}

bool has_own_near_hit(const Evidence& evidence) {
  const auto parts = statement_parts(evidence);
  return std::any_of(parts.begin(), parts.end(), [](const StatementPart& part) {
    return std::any_of(part.evidence->changes.begin(), part.evidence->changes.end(),
                       [](const JudgedChange& change) { return change.near_hit; });
  });
}

const SelfTest* self_test(const Evidence& evidence) {
  if (const auto* identity = std::get_if<IdentityEvidence>(&evidence.body)) return &identity->self_test;
  if (const auto* inequality = std::get_if<InequalityEvidence>(&evidence.body)) return &inequality->self_test;
  return nullptr;
}

bool shows_power(const JudgedNeighbour& miss, const std::string& part) {
  if (miss.neighbour->part == part) return contradicted(*miss.evidence, miss.judgement);
  const auto parts = contradicted_parts(*miss.evidence, miss.judgement);
  return std::find(parts.begin(), parts.end(), part) != parts.end();
}

/// Whether a near-miss falls by what the claim itself falls by.
bool idle(const Evidence& evidence, const Judgement& judgement, const JudgedNeighbour& miss) {
  if (miss.judgement.reason == judgement.reason) return true;
  const auto witness = witness_of(evidence);
  if (judgement.verdict != Verdict::refuted || !witness || witness->kind != WitnessKind::deterministic) return false;
  try {
    return miss.neighbour->check.replay(*witness, Context{}).confirmed;
  } catch (const std::exception&) {
    return false;  // it is evaluated at other inputs, so that witness says nothing of it
  }
}

void name_excess(std::string& text, const std::vector<std::string>& found, int excused, const char* what) {
  if (static_cast<int>(found.size()) <= excused) return;
  text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", what, fmt::join(found, ", "));
}

}  // namespace

bool contradicted(const Evidence& evidence, const Judgement& judgement) {
  if (judgement.verdict == Verdict::refuted) return true;
  if (judgement.verdict == Verdict::error) return false;
  return !contradicted_parts(evidence, judgement).empty();
}

std::vector<std::string> contradicted_parts(const Evidence& evidence, const Judgement& judgement) {
  std::vector<std::string> parts;
  for (const Leaf& leaf : leaves_of(evidence, judgement))
    if (speaks_against(leaf)) parts.push_back(leaf.path);
  return parts;
}

std::vector<StatementPart> statement_parts(const Evidence& evidence) {
  std::vector<StatementPart> parts;
  for (const Leaf& leaf : leaves_of(evidence, {}))
    if (const auto* statement = std::get_if<StatementEvidence>(&leaf.evidence->body))
      parts.push_back({leaf.path, statement});
  return parts;
}

bool RuleBreaks::none() const {
  return parts_without_near_miss.empty() && idle_near_misses.empty() && !no_near_hit && against_itself.empty() &&
         blind_searches.empty();
}

RuleBreaks breaks_of_evidence(const Evidence& evidence, const Judgement& judgement) {
  RuleBreaks breaks;
  for (const Leaf& leaf : leaves_of(evidence, judgement)) {
    const SelfTest* test = self_test(*leaf.evidence);
    if (test == nullptr || leaf.judgement.verdict != Verdict::supported || !test->exact_rewriting.empty()) continue;
    if (test->sides_identical || test->sides_constant)
      breaks.against_itself.push_back(called(leaf));
    else if (test->slack_constant)
      breaks.blind_searches.push_back(called(leaf));
  }
  return breaks;
}

RuleBreaks breaks_of_claim(const Claim& claim, const Evidence& evidence, const Judgement& judgement,
                           const std::vector<JudgedNeighbour>& near_misses) {
  RuleBreaks breaks = breaks_of_evidence(evidence, judgement);
  breaks.no_near_hit = judgement.verdict == Verdict::refuted && claim.near_hits.empty() && !has_own_near_hit(evidence);
  for (const JudgedNeighbour& miss : near_misses)
    if (contradicted(*miss.evidence, miss.judgement) && idle(evidence, judgement, miss))
      breaks.idle_near_misses.push_back(miss.neighbour->name);
  const bool of_parts = std::holds_alternative<CompositeEvidence>(evidence.body);
  if (!of_parts && !std::holds_alternative<StatementEvidence>(evidence.body)) return breaks;
  for (const Leaf& leaf : leaves_of(evidence, judgement)) {
    // A part that falls, or that nothing evaluates, needs no near-miss to show that it can fall.
    if (speaks_against(leaf) || std::holds_alternative<AwaitingEvidence>(leaf.evidence->body)) continue;
    const bool stands = leaf.judgement.verdict == Verdict::certified || leaf.judgement.verdict == Verdict::supported;
    if (shows_own_power(leaf) || established_by_a_point(leaf) || (!of_parts && !stands)) continue;
    const bool shown = std::any_of(near_misses.begin(), near_misses.end(),
                                   [&](const JudgedNeighbour& miss) { return shows_power(miss, leaf.path); });
    if (!shown) breaks.parts_without_near_miss.push_back(called(leaf));
  }
  return breaks;
}

std::optional<std::string> inexcusable(const RuleBreaks& breaks, const Gap& excuse) {
  std::string text;
  name_excess(text, breaks.against_itself, excuse.against_itself,
              "a formula is judged against itself, or by sides that do not depend on the inputs");
  name_excess(text, breaks.blind_searches, excuse.blind_searches,
              "the search is blind: its slack is the same everywhere");
  name_excess(text, breaks.parts_without_near_miss, excuse.parts_without_near_miss,
              "no near-miss shows that these parts can fall");
  name_excess(text, breaks.idle_near_misses, excuse.idle_near_misses,
              "these near-misses show nothing, for they fall by what the claim itself falls by");
  if (breaks.no_near_hit && !excuse.no_near_hit)
    text += fmt::format(
        "{}no near-hit shows that the check lets a true statement stand; add one, a weaker statement that "
        "holds (in a text: near_hit forall ...)",
        text.empty() ? "" : "; ");
  if (text.empty()) return std::nullopt;
  return text;
}

}  // namespace attest::engine
