#include "reports/record/totals.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "reports/record/witness_sides.hpp"
#include "reports/text/numbers.hpp"

namespace attest::reports {
namespace {

/// The largest or smallest of a number that every part has; empty when one has none.
std::optional<double> extreme(const std::vector<Part>& parts, std::optional<double> Evidence::*field, bool largest) {
  std::optional<double> result;
  for (const Part& part : parts) {
    const std::optional<double>& value = part.evidence.*field;
    if (!value) return std::nullopt;
    if (!result || (largest ? *value > *result : *value < *result)) result = value;
  }
  return result;
}

std::string slack_in_words(const std::optional<double>& slack, const std::optional<double>& tightness) {
  std::string words;
  if (slack) words = "least slack " + readable_number(*slack, 3);
  if (tightness) words += (words.empty() ? "tightness " : ", tightness ") + readable_number(*tightness);
  return words;
}

std::string parts_in_words(const std::vector<Part>& parts) {
  if (const auto bits = extreme(parts, &Evidence::accuracy_bits, false)) {
    return fmt::format("{} parts equal to {} bits", parts.size(), readable_count(*bits));
  }
  if (const auto slack = extreme(parts, &Evidence::least_slack, false)) {
    return slack_in_words(slack, extreme(parts, &Evidence::tightness, true));
  }
  std::string counts;
  for (const Verdict verdict : all_verdicts) {
    const auto count = std::count_if(parts.begin(), parts.end(), [&](const Part& p) { return p.verdict == verdict; });
    if (count == static_cast<std::ptrdiff_t>(parts.size())) return fmt::format("all {} parts {}", count, name(verdict));
    if (count > 0) counts += fmt::format("{}{} {}", counts.empty() ? ": " : ", ", count, name(verdict));
  }
  return counted(static_cast<std::int64_t>(parts.size()), parts.front().verdict ? "part" : "configuration") + counts;
}

/// "[0.13, 0.14] against 0.25", or "within 2e-09 of 1" where four digits would show no difference.
std::string interval_in_words(const Interval& interval, const std::optional<double>& bound) {
  const std::string lower = readable_number(interval.lower), upper = readable_number(interval.upper);
  if (bound && lower == upper && lower == readable_number(*bound)) {
    const double distance = std::max(std::abs(interval.lower - *bound), std::abs(interval.upper - *bound));
    return fmt::format("within {} of {}", readable_number(distance, 2), lower);
  }
  return fmt::format("[{}, {}]", lower, upper) + (bound ? " against " + readable_number(*bound) : "");
}

/// The numbers that decided, whatever the verdict.
std::string evidence_headline(const Evidence& evidence) {
  if (evidence.interval) return interval_in_words(*evidence.interval, evidence.bound);
  if (evidence.least_slack || evidence.tightness) return slack_in_words(evidence.least_slack, evidence.tightness);
  if (evidence.accuracy_bits) return fmt::format("equal to {} bits", readable_count(*evidence.accuracy_bits));
  if (evidence.parts.size() == 1) return evidence_headline(evidence.parts.front().evidence);
  if (!evidence.parts.empty()) return parts_in_words(evidence.parts);
  if (!evidence.domain.empty()) return evidence.domain;
  return evidence.reason;
}

}  // namespace

NearMissCounts near_misses_of(const Claim& claim) {
  NearMissCounts counts;
  for (const NearMiss& miss : claim.near_misses) {
    if (!miss.verdict) continue;
    ++counts.judged;
    if (miss.caught) ++(*miss.verdict == Verdict::refuted ? counts.refuted : counts.undecided);
  }
  return counts;
}

std::string in_words(const NearMissCounts& counts) {
  std::string text = out_of(counts.refuted, counts.judged) + " refuted";
  if (counts.undecided > 0)
    text += fmt::format(", {} undecided with the trend of {} grid against {}", readable_count(counts.undecided),
                        counts.undecided == 1 ? "its" : "their", counts.undecided == 1 ? "it" : "them");
  return text;
}

std::vector<const NearMiss*> fallen_near_hits(const Claim& claim) {
  std::vector<const NearMiss*> fallen;
  for (const NearMiss& hit : claim.near_hits) {
    if (hit.verdict && *hit.verdict != Verdict::certified && *hit.verdict != Verdict::supported) fallen.push_back(&hit);
  }
  return fallen;
}

std::optional<CaughtError> smallest_caught(const Claim& claim) {
  std::optional<CaughtError> smallest;
  for (const NearMiss& miss : claim.near_misses) {
    if (!miss.caught || !miss.delta || !(std::abs(*miss.delta) > 0)) continue;
    if (!smallest || std::abs(*miss.delta) < smallest->delta) smallest = {std::abs(*miss.delta), &claim, &miss};
  }
  return smallest;
}

bool is_exact(const Claim& claim) {
  if (claim.verdict == Verdict::certified) return true;
  return claim.verdict == Verdict::refuted && !(claim.witness && claim.witness->kind == "stochastic");
}

Totals totals(const Results& results) {
  Totals sum;
  int fallen = 0;
  for (const Claim& claim : results.claims) {
    ++sum.by_verdict[static_cast<std::size_t>(claim.verdict)];
    if (claim.verdict != claim.expected) sum.unexpected.push_back(&claim);
    const NearMissCounts counts = near_misses_of(claim);
    sum.near_misses.judged += counts.judged;
    sum.near_misses.refuted += counts.refuted;
    sum.near_misses.undecided += counts.undecided;
    if (counts.caught() != counts.judged) sum.missed.push_back(&claim);
    sum.near_hits += static_cast<int>(std::count_if(claim.near_hits.begin(), claim.near_hits.end(),
                                                    [](const NearMiss& hit) { return hit.verdict.has_value(); }));
    if (!fallen_near_hits(claim).empty()) sum.overshot.push_back(&claim);
    fallen += static_cast<int>(fallen_near_hits(claim).size());
    if (const auto caught = smallest_caught(claim)) {
      if (!sum.smallest_caught || caught->delta < sum.smallest_caught->delta) sum.smallest_caught = caught;
    }
    sum.exact += is_exact(claim) ? 1 : 0;
    sum.checkable += is_exact(claim) && claim.evidence_file && claim.no_evidence.empty() ? 1 : 0;
    if (claim.seconds > 0) sum.seconds += claim.seconds;
  }
  sum.near_hits_standing = sum.near_hits - fallen;
  return sum;
}

std::string headline(const Claim& claim) {
  // A refuted claim is decided by its counterexample, an existence claim by a point that has the property.
  const bool refuted = claim.verdict == Verdict::refuted;
  if ((refuted || claim.verdict == Verdict::certified) && claim.witness && !claim.witness->left.empty()) {
    const Sides sides = readable_sides(*claim.witness);
    return fmt::format("{} {} {}", sides.left,
                       refuted ? contradicted_relation(*claim.witness) : claimed_relation(*claim.witness), sides.right);
  }
  return evidence_headline(claim.evidence);
}

}  // namespace attest::reports
