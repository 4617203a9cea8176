#include "simulations/judge/diagnosis/merge.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>
#include <utility>

#include "simulations/judge/diagnosis/failures.hpp"

namespace attest::judge {
namespace {

std::string kind(const std::string& output) {
  return output == "lse" ? "lse" : is_gradient(output) ? "gradients" : output;
}

/// Of each kind of outputs the most failures that one cause explains. Wrong values of out explain lse and gradients
/// too.
std::map<std::string, int> explained_of(const std::vector<Record>& records) {
  std::map<std::pair<std::string, std::string_view>, int> counts, of_values;
  std::map<std::string, int> explained;
  for (const Record& record : records)
    for (const Failure& failure : record.failures) {
      if (failure.guessed) continue;
      const std::string of = kind(failure.output);
      explained[of] = std::max(explained[of], ++counts[{of, failure.fault.name}]);
      if (of != "out" || !compares_values(record.spec.property)) continue;
      const int values = ++of_values[{of, failure.fault.name}];
      for (const char* follows : {"lse", "gradients"}) explained[follows] = std::max(explained[follows], values);
    }
  return explained;
}

/// Whether out is wrong in a quarter of the cases that judge it, and not only in what calls have in common.
bool wrong_in_general(const std::vector<Record>& records) {
  std::size_t judged = 0, wrong = 0;
  for (const Record& record : records) {
    if (!compares_values(record.spec.property) || !record.ratios.contains("out")) continue;
    ++judged;
    wrong += std::any_of(record.failures.begin(), record.failures.end(),
                         [](const Failure& failure) { return failure.output == "out"; });
  }
  return wrong > 0 && 4 * wrong >= judged;
}

/// Findings that follow from another one.
void drop_consequences(std::vector<Finding>& findings, std::map<std::string, int> explained, bool wrong_out) {
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
  const bool explained_mapping = has([&](const Finding& f) {
    return a_value(f) && !f.guessed && (f.fault == fault::key_heads_mapped_wrongly || f.fault == fault::mixed_up);
  });
  const bool gradient_mapping =
      has([&](const Finding& f) { return f.property == Property::values && f.fault == fault::mixed_up_in_gradients; });
  const bool visibility = has([&](const Finding& f) { return f.fault.of_what_is_seen && !f.guessed && a_value(f); });
  const bool stateful = has([](const Finding& f) { return f.fault == fault::depends_on_earlier_calls; });
  const bool named = has([&](const Finding& f) { return a_value(f) && f.fault != fault::wrong_values; });
  const bool gradients_without_dropout = has([](const Finding& f) {
    return f.property == Property::values && is_gradient(f.output) && f.fault != fault::dropout_wrong_in_the_gradients;
  });
  const bool any_gradient = has([](const Finding& f) { return is_gradient(f.output); });
  std::erase_if(findings, [&](const Finding& f) {
    // What a few cases seem to have in common is not a second cause beside one that explains many.
    if (f.guessed && f.cases * 4 <= explained[kind(f.output)]) return true;
    if (mapping && f.property != Property::values &&
        (f.fault == fault::mixed_up || f.fault == fault::mixed_up_in_gradients))
      return true;
    if ((visibility || explained_mapping) && (f.fault == fault::leak || f.fault == fault::leak_in_gradients))
      return true;
    if (explained_mapping && f.fault == fault::depends_on_mates) return true;
    if (gradient_mapping &&
        (f.fault == fault::leak_in_gradients || (f.fault == fault::depends_on_mates && is_gradient(f.output))))
      return true;
    if (f.property == Property::drawn_dropout &&
        (wrong_out || (gradients_without_dropout && f.fault == fault::dropout_wrong_in_the_gradients)))
      return true;
    if (wrong_out && f.fault == fault::gradient_disagrees_with_own_forward) return true;
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
  drop_consequences(findings, explained_of(records), wrong_in_general(records));
  // What compares calls means little where the same call twice differs.
  std::stable_partition(findings.begin(), findings.end(), [](const Finding& f) {
    return f.fault == fault::depends_on_earlier_calls || f.fault == fault::results_differ_between_runs;
  });
  return findings;
}

}  // namespace attest::judge
