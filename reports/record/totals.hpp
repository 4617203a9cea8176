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

/// Counts over all claims of a run. Points into the results it was computed from.
struct Totals {
  std::array<int, all_verdicts.size()> by_verdict{};  ///< indexed by Verdict
  std::vector<const Claim*> unexpected;               ///< verdict differs from the one on record
  int near_misses = 0;                                ///< judged ones
  int near_misses_refuted = 0;
  std::vector<const Claim*> missed;  ///< claims with a near-miss that was not refuted
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

/// How many of the claim's planted near-misses were judged in this run, and how many its own check caught.
int near_misses_judged(const Claim& claim);
int near_misses_refuted(const Claim& claim);

/// The near-hits that were judged and do not stand.
std::vector<const NearMiss*> fallen_near_hits(const Claim& claim);

/// The refuted near-miss with the smallest error: the check is known to see errors of this size. Empty when no refuted
/// near-miss has a size. The pointers are into `claim`.
std::optional<CaughtError> smallest_caught(const Claim& claim);

/// The evidence in a few words, for one cell of a table: the contradiction of a refuted claim, else the interval
/// against its bound, the least slack and tightness, the parts, the domain, or the reason given.
std::string headline(const Claim& claim);

}  // namespace attest::reports
