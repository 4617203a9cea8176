// What a claim owes beside its verdict: power in every part, near-misses that show something, near-hits, sides that
// depend on what is claimed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "theorems/engine/claim.hpp"
#include "theorems/engine/runner/gaps.hpp"

namespace attest::engine {

/// A near-miss or a near-hit that was put before its check.
struct JudgedNeighbour {
  const Neighbour* neighbour;
  const Evidence* evidence;
  Judgement judgement;
};

/// Whether the check spoke against the statement: refuted, or in some part, without an error in any, a limit with the
/// trend of its grid against it. A near-miss of which that holds is caught.
bool contradicted(const Evidence& evidence, const Judgement& judgement);

/// The parts (as "part / inner part") that the check spoke against.
std::vector<std::string> contradicted_parts(const Evidence& evidence, const Judgement& judgement);

/// The statement bodies inside, with the names of the parts that lead there ("" for a claim without parts).
struct StatementPart {
  std::string path;
  const StatementEvidence* evidence;
};
std::vector<StatementPart> statement_parts(const Evidence& evidence);

/// The rules that a judged claim breaks, each with the names of the parts or near-misses concerned.
struct RuleBreaks {
  std::vector<std::string> parts_without_near_miss;
  std::vector<std::string> idle_near_misses;
  bool no_near_hit = false;
  std::vector<std::string> against_itself;
  std::vector<std::string> blind_searches;

  bool none() const;
};

/// What the evidence alone shows: formulas against themselves and blind searches. Refuted parts are neither.
RuleBreaks breaks_of_evidence(const Evidence& evidence, const Judgement& judgement);

/// The same with what its near-misses and near-hits show, all of which were judged. A near-miss is idle when its check
/// gives the claim's own reason, or when the claim's own witness refutes it.
RuleBreaks breaks_of_claim(const Claim& claim, const Evidence& evidence, const Judgement& judgement,
                           const std::vector<JudgedNeighbour>& near_misses);

/// One sentence that names what goes beyond the excuse; nothing when all is excused.
std::optional<std::string> inexcusable(const RuleBreaks& breaks, const Gap& excuse);

}  // namespace attest::engine
