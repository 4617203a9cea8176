#include "reports/record/errata.hpp"

#include <algorithm>

namespace attest::reports {
namespace {

std::size_t rank(const Claim& claim) {
  const auto found = std::find_if(all_findings.begin(), all_findings.end(),
                                  [&](const Finding& finding) { return finding.name == claim.finding; });
  return static_cast<std::size_t>(found - all_findings.begin());
}

bool is_erratum(const Claim& claim) {
  return claim.printed && (!claim.finding.empty() || claim.verdict == Verdict::refuted);
}

}  // namespace

std::vector<Erratum> errata(const Results& results) {
  std::vector<Erratum> all;
  for (const Claim& claim : results.claims)
    if (is_erratum(claim)) all.push_back({&claim, amendments_of(results, claim), dependents_of(results, claim)});
  std::stable_sort(all.begin(), all.end(), [](const Erratum& a, const Erratum& b) {
    const std::size_t first = rank(*a.printed), second = rank(*b.printed);
    return first != second ? first < second : a.dependents.size() > b.dependents.size();
  });
  return all;
}

std::vector<Erratum> gravest(const std::vector<Erratum>& errata, std::size_t most) {
  std::vector<Erratum> first;
  for (const Erratum& each : errata)
    if (first.size() < most && rank(*each.printed) < 2) first.push_back(each);
  return first;
}

std::vector<Erratum> sharpened(const Results& results) {
  std::vector<Erratum> all;
  for (const Claim& claim : results.claims) {
    if (!claim.printed || is_erratum(claim)) continue;
    std::vector<const Claim*> amendments = amendments_of(results, claim);
    if (!amendments.empty()) all.push_back({&claim, std::move(amendments), {}});
  }
  return all;
}

}  // namespace attest::reports
