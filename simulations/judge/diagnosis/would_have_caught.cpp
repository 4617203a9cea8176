#include "simulations/judge/diagnosis/would_have_caught.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "simulations/judge/diagnosis/hypotheses.hpp"

namespace attest::judge {
namespace {

double cost(const CaseSpec& s) {
  return static_cast<double>(s.batch * s.heads * s.queries * s.keys) * static_cast<double>(s.width + s.value_width + 8);
}

}  // namespace

std::vector<Caught> would_have_caught(const std::vector<Record>& records, const TrialSettings& settings) {
  std::map<std::string, Caught> entries;
  for (const Record& record : records)
    for (const auto& [output, least] : record.least_caught) {
      Caught& caught = entries[fmt::format("one entry of {}, {}", output, arrays::name(record.spec.type))];
      caught.least = caught.cases == 0 ? least : std::min(caught.least, least);
      ++caught.cases;
    }
  std::vector<Caught> result;
  for (auto& [what, caught] : entries) {
    caught.what = what;
    caught.of_entry = true;
    result.push_back(caught);
  }
  std::vector<Caught> classes;
  if (records.empty() || !is_plain_attention(records.front().spec.mechanism)) return result;
  for (const Hypothesis& hypothesis : hypotheses()) {
    auto found =
        std::find_if(classes.begin(), classes.end(), [&](const Caught& c) { return c.what == hypothesis.fault.name; });
    if (found == classes.end()) {
      classes.push_back({.what = std::string(hypothesis.fault.name)});
      found = classes.end() - 1;
    }
    int asked = 0;
    double best = 0;
    for (const Record& record : records) {
      const CaseSpec& spec = record.spec;
      if (!record.judged || !record.ratios.contains("out") || spec.property != Property::values || cost(spec) > 2e4 ||
          !hypothesis.applies(spec))
        continue;
      if (hypothesis.of == Hypothesis::Of::gradient && !record.ratios.contains("dq")) continue;
      if (++asked > 6) break;
      const Problem problem = problem_of(spec);
      const Precision precision = precision_for(spec, settings);
      const Expected truth = expected_attention(problem, precision);
      const Expected wrong = expected_attention(problem, precision, hypothesis.semantics, &truth);
      double ratio = 0;
      for (const auto& [output, judged] : record.ratios) {
        if (truth.find(output) == nullptr || !truth.find(output)->present()) continue;
        ratio = std::max(ratio, distance(*truth.find(output), wrong.find(output)->values).ratio);
      }
      best = std::max(best, ratio);
      if (ratio > 1) ++found->cases;
    }
    if (best > 1) found->least = found->least == 0 ? best : std::min(found->least, best);
  }
  for (const Caught& caught : classes)
    if (caught.cases > 0) result.push_back(caught);
  return result;
}

}  // namespace attest::judge
