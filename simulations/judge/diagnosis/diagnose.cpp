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

/// Whether equal calls of the record differ, by more than rounding or because of the calls before.
bool is_unsteady(const Record& record, Target& target, const TrialSettings& settings) {
  const auto failed_by = [](const Record& one, const Fault& fault) {
    return std::ranges::any_of(one.failures, [&](const Failure& failure) { return failure.fault == fault; });
  };
  if (record.spec.property != Property::repeat) return false;
  if (failed_by(record, fault::depends_on_earlier_calls)) return true;
  if (!failed_by(record, fault::results_differ_between_runs)) return false;
  TrialSettings within_rounding = settings;
  within_rounding.deterministic = Deterministic::none;
  return !run_trial(record.spec, target, within_rounding).failures.empty();
}

/// Where the same call gives other numbers, every comparison of calls fails by that alone.
void drop_comparisons_of_unsteady_calls(std::vector<Record>& records, Target& target, const TrialSettings& settings) {
  if (std::ranges::none_of(records, [&](const Record& record) { return is_unsteady(record, target, settings); }))
    return;
  for (Record& record : records)
    if (compares_calls(record.spec) && record.spec.property != Property::repeat)
      std::erase_if(record.failures, [](const Failure& failure) { return !failure.output.empty(); });
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
  drop_comparisons_of_unsteady_calls(records, target, settings);
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
