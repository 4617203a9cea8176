#include "reports/record/verdict.hpp"

namespace attest::reports {
namespace {

struct Words {
  std::string_view name;
  std::string_view symbol;
  std::string_view description;
};

const Words& words(Verdict verdict) {
  static constexpr std::array<Words, all_verdicts.size()> table = {{
      {"certified", "✓",
       "Established on the stated domain by exact or interval arithmetic, or by exhaustive enumeration: no rounding "
       "and no sampling stands between the numbers and the conclusion."},
      {"supported", "✓",
       "Tested hard and not contradicted. The evidence says how hard: samples, adversarial evaluations, least slack, "
       "interval. It is not a proof."},
      {"refuted", "✕",
       "A witness contradicts the statement as it is written, or what it says exists is nowhere on the stated domain: "
       "every case of a finite one was tried, or interval arithmetic excludes it from each of the boxes that cover "
       "the domain. Deterministic witnesses are confirmed in interval arithmetic with a margin whose sign is certain; "
       "stochastic ones by a confidence sequence that excludes the claim at its share of the run's error level."},
      {"undecided", "?",
       "The evidence does not decide: the budget ended first, a limit has the trend of a finite grid against it, or "
       "only a comparison outside the suite can tell. The section says which, and what would decide."},
      {"vacuous", "∅", "The assumptions were met at none of the points tried, so nothing was tested."},
      {"error", "!", "The check itself failed. It says nothing about the statement and never counts as a pass."},
  }};
  return table[static_cast<std::size_t>(verdict)];
}

}  // namespace

std::string_view name(Verdict verdict) { return words(verdict).name; }

std::optional<Verdict> verdict_named(std::string_view name_sought) {
  for (const Verdict verdict : all_verdicts) {
    if (name(verdict) == name_sought) return verdict;
  }
  return std::nullopt;
}

std::string_view symbol(Verdict verdict) { return words(verdict).symbol; }

std::string_view description(Verdict verdict) { return words(verdict).description; }

}  // namespace attest::reports
