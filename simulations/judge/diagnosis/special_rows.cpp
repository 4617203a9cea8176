#include "simulations/judge/diagnosis/special_rows.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "simulations/judge/diagnosis/failures.hpp"
#include "simulations/judge/diagnosis/features.hpp"
#include "simulations/judge/diagnosis/hypotheses.hpp"

namespace attest::judge {
namespace {

/// Which rows of a failed output are off, and how.
struct OffRows {
  bool any_empty = false, only_empty = true;
  bool nan = false, nan_elsewhere = false;
  bool only_low = true;       ///< logits of all of them are below -80
  bool only_infinite = true;  ///< none of the entries is finite
  bool only_lost = true;      ///< entries are 0, infinite or NaN, which is what 0/0 leaves
  bool only_vanished = true;  ///< entries are 0, of lse -infinity
};

OffRows off_rows(const Record& record, const std::string& output, const Expected& expected) {
  const std::vector<double>& actual = record.actual.at(output);
  const Judged& judged = *expected.find(output);
  const std::vector<double>& lses = expected.lse.values;
  OffRows off;
  off.any_empty = std::any_of(lses.begin(), lses.end(), [](double lse) { return std::isinf(lse); });
  const std::size_t width = actual.size() / lses.size();
  for (std::size_t n = 0; n < actual.size(); ++n) {
    if (distance({{judged.values[n]}, {judged.bounds[n]}}, {actual[n]}).ratio <= 1) continue;
    const double lse = lses[n / width];
    if (!std::isinf(lse)) off.only_empty = false;
    if (std::isnan(actual[n])) off.nan = true;
    if (std::isnan(actual[n]) && !std::isinf(lse)) off.nan_elsewhere = true;
    if (lse > -80) off.only_low = false;
    if (std::isfinite(actual[n])) off.only_infinite = false;
    if (output == "lse" ? actual[n] > -1e30 : actual[n] != 0) off.only_vanished = false;
    if (std::isfinite(actual[n]) && (output == "lse" || actual[n] != 0)) off.only_lost = false;
  }
  return off;
}

/// Cases whose rows can be looked at and of which `asked` is true, each with the failures that have no class. What
/// belongs is out and lse alone: no rows of gradients are looked at.
template <typename Asked, typename Name>
void for_each_open(std::vector<Record>& records, const TrialSettings& settings, const Asked& asked, const Name& name) {
  for (Record& record : records) {
    if (compares_calls(record.spec) || cost(record.spec) > 3e6 || !asked(record)) continue;
    const bool open =
        std::any_of(record.failures.begin(), record.failures.end(), [](const Failure& f) { return !f.fault; });
    if (!open) continue;
    Problem problem = problem_of(record.spec);
    problem.dout.clear(), problem.dlse.clear();
    const Expected expected = expected_attention(problem, precision_for(record.spec, settings));
    for (Failure& failure : record.failures)
      if (!failure.fault) name(record, failure, problem, expected);
  }
}

/// Whether rows without keys hold the softmax over all keys, as they do where hidden logits are lowered by a constant.
const Hypothesis* lowered_logits(const Record& record, const std::string& output, const Problem& problem,
                                 const TrialSettings& settings) {
  for (const Hypothesis& hypothesis : hypotheses()) {
    // A constant in the place of the logits gives the mean of the values, whatever it is: that says nothing.
    if (hypothesis.semantics.masked != Semantics::Masked::lowered || !hypothesis.applies(record.spec)) continue;
    const Expected wrong = expected_attention(problem, precision_for(record.spec, settings), hypothesis.semantics);
    Judged judged = *wrong.find(output);
    for (double& bound : judged.bounds) bound *= 4;
    if (distance(judged, record.actual.at(output)).ratio <= 1) return &hypothesis;
  }
  return nullptr;
}

}  // namespace

void name_empty_rows(std::vector<Record>& records, const TrialSettings& settings) {
  for_each_open(
      records, settings, [](const Record&) { return true; },
      [&](Record& record, Failure& failure, const Problem& problem, const Expected& expected) {
        const OffRows off = off_rows(record, is_gradient(failure.output) ? "out" : failure.output, expected);
        if (!off.any_empty) return;
        if (is_gradient(failure.output)) {
          const std::vector<double>& actual = record.actual.at(failure.output);
          if (std::any_of(actual.begin(), actual.end(), [](double x) { return std::isnan(x); }))
            failure.fault = fault::fully_masked_row_gives_nan_gradients;
          return;
        }
        if (!off.only_empty) return;
        if (const Hypothesis* lowered = lowered_logits(record, failure.output, problem, settings)) {
          failure.fault = lowered->fault;
          failure.message += "; as if: " + lowered->text;
        } else if (failure.output == "lse") {
          failure.fault = fault::wrong_lse_of_a_fully_masked_row;
        } else {
          failure.fault = off.nan ? fault::fully_masked_row_gives_nan : fault::fully_masked_row_is_not_zero;
        }
      });
}

void name_large_logits(std::vector<Record>& records, const TrialSettings& settings, bool only_certain) {
  std::set<std::string> right;
  for (const Record& record : records) {
    if (has_large_logits(record.spec) || compares_calls(record.spec)) continue;
    for (const auto& [output, ratio] : record.ratios)
      if (ratio <= 1) right.insert(output);
  }
  const auto asked = [&](const Record& record) { return !only_certain || has_large_logits(record.spec); };
  for_each_open(
      records, settings, asked, [&](Record& record, Failure& failure, const Problem&, const Expected& expected) {
        if (is_gradient(failure.output)) return;
        const bool large = has_large_logits(record.spec);
        // What is wrong at ordinary logits has another cause.
        if (large && !right.contains(failure.output)) return;
        const OffRows off = off_rows(record, failure.output, expected);
        if (large && off.only_low && (off.only_vanished || (!only_certain && failure.output == "out" && off.only_lost)))
          failure.fault = fault::underflow_at_very_negative_logits;
        else if (only_certain)  // which nothing but large logits can be
          return;
        else if (large && (off.nan_elsewhere || off.only_infinite))
          failure.fault = fault::overflow_at_large_logits;
        else if (off.nan_elsewhere && (hides_keys(record.spec) || !record.spec.packed.empty()) &&
                 failure.output == "out")
          failure.fault = fault::masked_part_of_the_keys_gives_nan;
      });
}

}  // namespace attest::judge
