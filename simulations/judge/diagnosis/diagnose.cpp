#include "simulations/judge/diagnosis/diagnose.hpp"

#include <algorithm>

#include "simulations/judge/diagnosis/by_hypotheses.hpp"
#include "simulations/judge/diagnosis/failures.hpp"
#include "simulations/judge/diagnosis/merge.hpp"
#include "simulations/judge/diagnosis/narrower_type.hpp"
#include "simulations/judge/diagnosis/remaining.hpp"
#include "simulations/judge/diagnosis/special_rows.hpp"

namespace attest::judge {
namespace {

/// Where the same call twice differs by rounding, that is the finding; what compares calls bit by bit is judged anew by
/// what rounding allows.
void judge_again_within_rounding(std::vector<Record>& records, Target& target, const TrialSettings& settings) {
  TrialSettings looser = settings;
  for (const Record& record : records)
    for (const Failure& failure : record.failures) {
      if (failure.fault != fault::results_differ_between_runs) continue;
      const bool forward = failure.output == "out" || failure.output == "lse";
      if (forward || looser.deterministic == Deterministic::none)
        looser.deterministic = Deterministic::none;
      else
        looser.deterministic = Deterministic::forward;
    }
  if (looser.deterministic == settings.deterministic) return;
  for (Record& record : records) {
    const Property property = record.spec.property;
    if (compares_values(property) || property == Property::repeat || property == Property::other_options ||
        record.failures.empty())
      continue;
    record = run_trial(record.spec, target, looser);
  }
}

/// A wrong forward pass has wrong gradients: they are not a second cause.
void drop_gradients_of_wrong_outputs(std::vector<Record>& records) {
  for (Record& record : records) {
    const bool wrong = std::any_of(record.failures.begin(), record.failures.end(),
                                   [](const Failure& f) { return !is_gradient(f.output) && f.output != "gradients"; });
    if (!wrong) continue;
    std::erase_if(record.failures, [](const Failure& f) { return !f.fault && is_gradient(f.output); });
  }
}

}  // namespace

std::vector<Finding> diagnose(std::vector<Record>& records, Target& target, const TrialSettings& settings) {
  judge_again_within_rounding(records, target, settings);
  const bool softmax = records.empty() || is_plain_attention(records.front().spec.mechanism);
  if (softmax) {
    name_empty_rows(records, settings);
    name_large_logits(records, settings, true);
    name_by_hypotheses(records, settings, false);
    name_large_logits(records, settings, false);
  }
  name_narrower_type(records, target, settings, false);
  name_remaining(records, target, settings, false);
  drop_gradients_of_wrong_outputs(records);
  if (softmax) name_by_hypotheses(records, settings, true);
  name_narrower_type(records, target, settings, true);
  name_remaining(records, target, settings, true);
  return merged(records);
}

}  // namespace attest::judge
