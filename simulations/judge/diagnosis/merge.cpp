#include "simulations/judge/diagnosis/merge.hpp"

#include <algorithm>
#include <functional>
#include <map>

#include "simulations/judge/diagnosis/failures.hpp"

namespace attest::judge {
namespace {

std::string kind(const Finding& f) {
  return f.output == "lse" ? "lse" : is_gradient(f.output) ? "gradients" : f.output;
}

/// Findings that follow from another one.
void drop_consequences(std::vector<Finding>& findings) {
  const auto has = [&](const std::function<bool(const Finding&)>& which) {
    return std::any_of(findings.begin(), findings.end(), which);
  };
  const auto a_value = [](const Finding& f) {
    return f.property == Property::values && (f.output == "out" || f.output == "lse") && f.fault != fault::wrong_lse;
  };
  // Heads and sequences that read others' numbers change with them.
  const bool mapping = has([&](const Finding& f) {
    return a_value(f) && (f.fault == fault::key_heads_mapped_wrongly || f.fault == fault::mixed_up);
  });
  const bool visibility = has([&](const Finding& f) { return f.fault.of_what_is_seen && a_value(f); });
  const bool stateful = has([](const Finding& f) { return f.fault == fault::depends_on_earlier_calls; });
  const bool named = has([&](const Finding& f) { return a_value(f) && f.fault != fault::wrong_values; });
  const bool any_gradient = has([](const Finding& f) { return is_gradient(f.output); });
  // What a few cases seem to have in common is not a second cause beside one that explains many.
  std::map<std::string, int> explained;
  for (const Finding& f : findings)
    if (!f.guessed) explained[kind(f)] = std::max(explained[kind(f)], f.cases);
  std::erase_if(findings, [&](const Finding& f) {
    if (f.guessed && f.cases * 4 <= explained[kind(f)]) return true;
    if (mapping && f.property != Property::values &&
        (f.fault == fault::mixed_up || f.fault == fault::mixed_up_in_gradients))
      return true;
    if (visibility && (f.fault == fault::leak || f.fault == fault::leak_in_gradients)) return true;
    if (stateful && f.fault == fault::results_differ_between_runs) return true;
    if (named && f.fault == fault::wrong_values) return true;
    return any_gradient && f.output == "gradients" &&
           has([](const Finding& other) { return other.property == Property::values && is_gradient(other.output); });
  });
}

}  // namespace

std::vector<Finding> merged(const std::vector<Record>& records) {
  std::vector<Finding> findings;
  for (const Record& record : records)
    for (const Failure& failure : record.failures) {
      const auto same = std::find_if(findings.begin(), findings.end(),
                                     [&](const Finding& finding) { return finding.fault == failure.fault; });
      Finding finding{
          failure.fault,  record.spec.property, failure.ratio, record.spec, failure.output, failure.message, 1,
          failure.guessed};
      if (same == findings.end()) {
        findings.push_back(finding);
        continue;
      }
      const int cases = same->cases + 1;
      finding.guessed = finding.guessed && same->guessed;
      if (cost(record.spec) < cost(same->spec))
        *same = finding;
      else
        same->guessed = finding.guessed;
      same->cases = cases;
    }
  drop_consequences(findings);
  return findings;
}

}  // namespace attest::judge
