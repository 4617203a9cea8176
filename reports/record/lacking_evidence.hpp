// Why exact verdicts have no evidence file, each reason once.
#pragma once

#include <string>
#include <vector>

#include "reports/record/results.hpp"

namespace attest::reports {

/// A reason why a claim, or some of its parts, has no evidence file.
struct LackingEvidence {
  std::string reason;
  std::vector<std::string> parts;  ///< that it holds for; empty for the claim as a whole
};

/// `claim.no_evidence`, which is "REASON" or "PART: REASON; PART: REASON", by reason, in the order in which they come
/// first. What follows "; " belongs to the reason before it unless it begins with the name of a part of the claim's
/// evidence.
std::vector<LackingEvidence> lacking_evidence(const Claim& claim);

/// The same in one sentence without capital and full stop: "PART, PART: REASON; PART: REASON".
std::string lacking_in_words(const Claim& claim);

/// A reason with the claims that it holds for: "ID", "ID (PART)" where one part of it has no file, "ID (2 of 5 parts)"
/// where several but not all have none for this reason.
struct LackingClaims {
  std::string reason;
  std::vector<std::string> claims;
};

/// Over the exact verdicts of a run, in the order in which the reasons come first.
std::vector<LackingClaims> lacking_by_reason(const Results& results);

}  // namespace attest::reports
