#include "reports/totals.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "reports/numbers.hpp"

namespace attest::reports {
namespace {

/// The leading number of an enclosure such as "[1.25 +/- 1e-30]", shortened; the text itself when it has none.
std::string shortened(const std::string& enclosure) {
  const std::size_t start = enclosure.find_first_of("-+.0123456789");
  if (start == std::string::npos) return enclosure;
  const char* begin = enclosure.c_str() + start;
  char* end = nullptr;
  const double value = std::strtod(begin, &end);
  return end == begin ? enclosure : readable_number(value);
}

/// The relation as it is printed.
std::string_view readable_relation(std::string_view relation) {
  if (relation == "<=") return "≤";
  if (relation == ">=") return "≥";
  return relation;
}

/// How the two sides of a counterexample really stand to each other.
std::string_view contradicted(const std::string& relation) {
  if (relation == "<=") return ">";
  if (relation == "<") return "≥";
  if (relation == ">=") return "<";
  if (relation == ">") return "≤";
  return "≠";
}

std::string parts_in_words(const std::vector<Part>& parts) {
  std::string words =
      counted(static_cast<std::int64_t>(parts.size()), parts.front().verdict ? "part" : "configuration");
  std::string separator = ": ";
  for (const Verdict verdict : all_verdicts) {
    const auto count = std::count_if(parts.begin(), parts.end(), [&](const Part& p) { return p.verdict == verdict; });
    if (count == 0) continue;
    words += fmt::format("{}{} {}", separator, count, name(verdict));
    separator = ", ";
  }
  return words;
}

/// The numbers that decided, whatever the verdict.
std::string evidence_headline(const Evidence& evidence) {
  if (evidence.interval) {
    std::string words =
        fmt::format("[{}, {}]", readable_number(evidence.interval->lower), readable_number(evidence.interval->upper));
    if (evidence.bound) words += " against " + readable_number(*evidence.bound);
    return words;
  }
  if (evidence.least_slack || evidence.tightness) {
    std::string words;
    if (evidence.least_slack) words = "least slack " + readable_number(*evidence.least_slack, 3);
    if (evidence.tightness) {
      words += (words.empty() ? "tightness " : ", tightness ") + readable_number(*evidence.tightness);
    }
    return words;
  }
  if (evidence.accuracy_bits) return fmt::format("equal to {} bits", readable_count(*evidence.accuracy_bits));
  if (evidence.parts.size() == 1) return evidence_headline(evidence.parts.front().evidence);
  if (!evidence.parts.empty()) return parts_in_words(evidence.parts);
  if (!evidence.domain.empty()) return evidence.domain;
  return evidence.reason;
}

}  // namespace

int near_misses_judged(const Claim& claim) {
  return static_cast<int>(std::count_if(claim.near_misses.begin(), claim.near_misses.end(),
                                        [](const NearMiss& miss) { return miss.verdict.has_value(); }));
}

int near_misses_refuted(const Claim& claim) {
  return static_cast<int>(std::count_if(claim.near_misses.begin(), claim.near_misses.end(),
                                        [](const NearMiss& miss) { return miss.verdict == Verdict::refuted; }));
}

std::optional<CaughtError> smallest_caught(const Claim& claim) {
  std::optional<CaughtError> smallest;
  for (const NearMiss& miss : claim.near_misses) {
    if (miss.verdict != Verdict::refuted || !miss.delta || !(std::abs(*miss.delta) > 0)) continue;
    if (!smallest || std::abs(*miss.delta) < smallest->delta) smallest = {std::abs(*miss.delta), &claim, &miss};
  }
  return smallest;
}

Totals totals(const Results& results) {
  Totals sum;
  for (const Claim& claim : results.claims) {
    ++sum.by_verdict[static_cast<std::size_t>(claim.verdict)];
    if (claim.verdict != claim.expected) sum.unexpected.push_back(&claim);
    const int judged = near_misses_judged(claim);
    const int refuted = near_misses_refuted(claim);
    sum.near_misses += judged;
    sum.near_misses_refuted += refuted;
    if (refuted != judged) sum.missed.push_back(&claim);
    if (const auto caught = smallest_caught(claim)) {
      if (!sum.smallest_caught || caught->delta < sum.smallest_caught->delta) sum.smallest_caught = caught;
    }
    if (claim.seconds > 0) sum.seconds += claim.seconds;
  }
  return sum;
}

std::string headline(const Claim& claim) {
  const Evidence& evidence = claim.evidence;
  if (claim.verdict == Verdict::refuted && claim.witness && !claim.witness->left.empty()) {
    const Witness& witness = *claim.witness;
    return fmt::format("{} {} {}", shortened(witness.left), contradicted(witness.relation), shortened(witness.right));
  }
  // An existence claim is certified by a point that has the property.
  if (claim.verdict == Verdict::certified && claim.witness && !claim.witness->left.empty()) {
    const Witness& witness = *claim.witness;
    return fmt::format("{} {} {}", shortened(witness.left), readable_relation(witness.relation),
                       shortened(witness.right));
  }
  return evidence_headline(evidence);
}

std::string paper_title(const std::string& paper) {
  if (paper == "boosting") return "Revisiting Transformers with Insights from Image Filtering and Boosting";
  if (paper == "primal-dual") return "A Primal-Dual Framework for Transformers and Neural Networks";
  if (paper == "twicing") return "Transformer Meets Twicing: Harnessing Unattended Residual Information";
  if (paper == "probdr") {
    return "Transformers as Unrolled Inference in Probabilistic Laplacian Eigenmaps: An Interpretation and Potential "
           "Improvements";
  }
  return paper;
}

}  // namespace attest::reports
