#include "simulations/judge/judgement/refusals.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/text/numbers.hpp"
#include "simulations/judge/diagnosis/failures.hpp"

namespace attest::judge {
namespace {

using Specs = std::vector<const CaseSpec*>;

/// What may be the reason, as it reads after "cases with".
struct Condition {
  const char* words;
  bool (*holds)(const CaseSpec&);
};

constexpr Condition conditions[] = {
    {"causal", [](const CaseSpec& s) { return s.causal; }},
    {"causal=False", [](const CaseSpec& s) { return !s.causal; }},
    {"mask", [](const CaseSpec& s) { return !s.mask.empty(); }},
    {"window", [](const CaseSpec& s) { return s.window.has_value(); }},
    {"scale", [](const CaseSpec& s) { return s.scale != 0; }},
    {"softcap", [](const CaseSpec& s) { return s.softcap != 0; }},
    {"bias", [](const CaseSpec& s) { return !s.bias.empty(); }},
    {"alibi_slopes", [](const CaseSpec& s) { return s.alibi; }},
    {"sinks", [](const CaseSpec& s) { return s.sinks; }},
    {"dropout", [](const CaseSpec& s) { return s.dropout != 0; }},
    {"packed sequences", [](const CaseSpec& s) { return !s.packed.empty(); }},
    {"key_lengths", [](const CaseSpec& s) { return s.padding != 0; }},
    {"gradients", [](const CaseSpec& s) { return s.gradient; }},
    {"fewer heads of keys than of queries", [](const CaseSpec& s) { return s.heads != s.kv_heads; }},
    {"values of another width", [](const CaseSpec& s) { return s.width != s.value_width; }},
    {"fewer queries than keys", [](const CaseSpec& s) { return s.queries < s.keys; }},
    {"more queries than keys", [](const CaseSpec& s) { return s.queries > s.keys; }}};

struct Extent {
  const char* words;
  Index CaseSpec::*of;
};

constexpr Extent extents[] = {{"queries", &CaseSpec::queries},
                              {"keys", &CaseSpec::keys},
                              {"features", &CaseSpec::width},
                              {"heads", &CaseSpec::heads},
                              {"sequences", &CaseSpec::batch}};

/// What all of `refused` have and none of `judged`.
std::vector<std::string> told_by(Specs refused, const Specs& judged) {
  // A call between with another option is refused for what the case itself does not have.
  std::erase_if(refused, [](const CaseSpec* spec) { return spec->property == Property::other_options; });
  std::vector<std::string> words;
  if (refused.empty()) return words;
  for (const Condition& one : conditions) {
    const auto holds = [&](const CaseSpec* spec) { return one.holds(*spec); };
    if (std::ranges::all_of(refused, holds) && std::ranges::none_of(judged, holds)) words.emplace_back(one.words);
  }
  for (const Extent& extent : extents) {
    const auto size = [&](const CaseSpec* spec) { return spec->*extent.of; };
    const Index least = size(*std::ranges::min_element(refused, {}, size));
    if (!judged.empty() && least > size(*std::ranges::max_element(judged, {}, size)))
      words.push_back(fmt::format("{} or more {}", least, extent.words));
  }
  return words;
}

}  // namespace

std::vector<std::string> refusals_of(const std::vector<Record>& records) {
  std::vector<std::pair<std::string, Specs>> reasons;
  Specs judged;
  for (const Record& record : records) {
    if (record.refusal.empty()) {
      if (record.judged) judged.push_back(&record.spec);
      continue;
    }
    auto same = std::ranges::find(reasons, record.refusal, &std::pair<std::string, Specs>::first);
    if (same == reasons.end()) same = reasons.insert(reasons.end(), {record.refusal, {}});
    same->second.push_back(&record.spec);
  }
  std::vector<std::string> clauses;
  for (const auto& [reason, refused] : reasons) {
    // Who answers from files says itself which cases these are.
    if (reason.starts_with("cases ")) {
      clauses.push_back(reason);
      continue;
    }
    const std::vector<std::string> words = told_by(refused, judged);
    const CaseSpec& smallest = **std::ranges::min_element(refused, {}, [](const CaseSpec* s) { return cost(*s); });
    clauses.push_back(fmt::format("{}{}{}, the smallest {}: {}", reports::counted(std::ssize(refused), "case"),
                                  words.empty() ? "" : " with ", fmt::join(words, " and "), text_of(smallest), reason));
  }
  return clauses;
}

}  // namespace attest::judge
