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
  const auto seen_wrongly = [](const Finding& f) {
    const auto about = [&](const char* word) { return f.class_name.find(word) != std::string::npos; };
    return about("causal") || about("window") || about("mask ") || about("packed") || about("masked keys get") ||
           about("softcap applied after the mask");
  };
  const auto a_value = [](const Finding& f) {
    return f.property == "values" && (f.output == "out" || f.output == "lse") && f.class_name != "wrong lse";
  };
  // Heads and sequences that read others' numbers change with them.
  const bool mapping = has([&](const Finding& f) {
    return a_value(f) &&
           (f.class_name == "key heads mapped wrongly" || f.class_name == "sequences or heads are mixed up");
  });
  const bool visibility = has([&](const Finding& f) { return seen_wrongly(f) && a_value(f); });
  const bool stateful = has([](const Finding& f) { return f.class_name == "a result depends on earlier calls"; });
  const bool named = has([&](const Finding& f) { return a_value(f) && f.class_name != "wrong values"; });
  const bool any_gradient = has([](const Finding& f) { return is_gradient(f.output); });
  // What a few cases seem to have in common is no second cause beside one that explains many.
  std::map<std::string, int> explained;
  for (const Finding& f : findings)
    if (!f.guessed) explained[kind(f)] = std::max(explained[kind(f)], f.cases);
  std::erase_if(findings, [&](const Finding& f) {
    if (f.guessed && f.cases * 4 <= explained[kind(f)]) return true;
    if (mapping && f.property != "values" && f.class_name.find("heads are mixed up") != std::string::npos) return true;
    if (visibility && f.class_name.starts_with("a masked key or value reaches")) return true;
    if (stateful && f.class_name == "results differ between runs") return true;
    if (named && f.class_name == "wrong values") return true;
    return any_gradient && f.output == "gradients" &&
           has([](const Finding& other) { return other.property == "values" && is_gradient(other.output); });
  });
}

}  // namespace

std::vector<Finding> merged(const std::vector<Record>& records) {
  std::vector<Finding> findings;
  for (const Record& record : records)
    for (const Failure& failure : record.failures) {
      const auto same = std::find_if(findings.begin(), findings.end(),
                                     [&](const Finding& finding) { return finding.class_name == failure.class_name; });
      Finding finding{
          failure.class_name, record.spec.property, failure.ratio, record.spec, failure.output, failure.message, 1,
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
