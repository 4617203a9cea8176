// What a whole run amounts to: the numbers that every report states.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "reports/record/results.hpp"

namespace attest::reports {

/// The size (absolute, not 0) of a planted error that a check caught, and whose check it was. Points into the results
/// it was computed from.
struct CaughtError {
  double delta;
  const Claim* claim;
  const NearMiss* near_miss;
};

/// Near-misses of a claim or of a run. No finite grid refutes a limit (theorems/engine/verdict_rule.hpp): one whose
/// trend on its grid is against it is caught, and stays undecided.
struct NearMissCounts {
  int judged = 0;
  int refuted = 0;
  int undecided = 0;  ///< caught by the trend of their grid

  int caught() const { return refuted + undecided; }
};

/// Counts over all claims of a run. Points into the results it was computed from.
struct Totals {
  std::array<int, all_verdicts.size()> by_verdict{};  ///< indexed by Verdict
  std::vector<const Claim*> unexpected;               ///< verdict differs from the one on record
  NearMissCounts near_misses;
  std::vector<const Claim*> missed;  ///< claims with a near-miss that was not caught
  int near_hits = 0;                 ///< judged ones
  int near_hits_standing = 0;
  std::vector<const Claim*> overshot;  ///< claims with a near-hit that does not stand
  std::optional<CaughtError> smallest_caught;
  int exact = 0;         ///< verdicts that rest on numbers and not on samples: see `is_exact`
  int checkable = 0;     ///< of these, with files for all that they say, which check_evidence.py checks
  double seconds = 0.0;  ///< of the checks, added up

  int count(Verdict verdict) const { return by_verdict[static_cast<std::size_t>(verdict)]; }
};

Totals totals(const Results& results);

/// Certified, or refuted otherwise than by samples.
bool is_exact(const Claim& claim);

/// How many of the claim's planted near-misses were judged in this run, and how many of these its own check caught.
NearMissCounts near_misses_of(const Claim& claim);

/// "7 of 12 refuted, 3 undecided with the trend of their grid against them", the second part where there are any.
std::string in_words(const NearMissCounts& counts);

/// The near-hits that were judged and do not stand.
std::vector<const NearMiss*> fallen_near_hits(const Claim& claim);

/// The refuted near-miss with the smallest error: the check is known to see errors of this size. Empty when no refuted
/// near-miss has a size. The pointers are into `claim`.
std::optional<CaughtError> smallest_caught(const Claim& claim);

/// The evidence in a few words, for one cell of a table: the contradiction of a refuted claim, else the interval
/// against its bound, the least slack and tightness, the parts, the domain, or the reason given.
std::string headline(const Claim& claim);

}  // namespace attest::reports
