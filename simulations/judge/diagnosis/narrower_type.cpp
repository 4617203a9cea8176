#include "simulations/judge/diagnosis/narrower_type.hpp"

#include <algorithm>
#include <cmath>

#include "simulations/judge/diagnosis/failures.hpp"
#include "simulations/judge/reference/mechanism_reference.hpp"

namespace attest::judge {
namespace {

/// One result of the reference; without gradients where none is asked for.
Judged reference(const CaseSpec& spec, const std::string& output, const Precision& precision) {
  if (!is_plain_attention(spec.mechanism)) return expected_mechanism(spec, precision)[output];
  Problem problem = problem_of(spec);
  if (!is_gradient(output)) problem.dout.clear(), problem.dlse.clear();
  return *expected_attention(problem, precision).find(output);
}

/// That of the next narrower type. Bounds of other mechanisms are wide: those of bfloat16 would let formulas pass.
Precision coarse_precision(const CaseSpec& spec) {
  if (is_narrow(spec)) return precision_of(spec.type, Accumulation::input);
  const ElementType coarse = is_plain_attention(spec.mechanism) ? ElementType::bfloat16 : ElementType::float32;
  return precision_of(coarse, Accumulation::widened);
}

bool both_ways(const Judged& judged, const std::vector<double>& actual) {
  double sum = 0, size = 0;
  std::size_t beyond = 0;
  for (std::size_t n = 0; n < actual.size(); ++n) {
    const double error = (actual[n] - judged.values[n]) * (judged.values[n] < 0 ? -1 : 1);
    sum += error;
    size += std::abs(error);
    if (std::abs(error) > judged.bounds[n]) ++beyond;
  }
  // Of n random signs the mean is within 4 / sqrt(n) but once in ten thousand times.
  return beyond * 4 >= actual.size() &&
         std::abs(sum) <= size * std::min(0.9, 4 / std::sqrt(static_cast<double>(actual.size())) + 0.1);
}

/// The errors' cosine between a case and the same with queries times 17/16: near 1 for a formula, near 0 for rounding.
bool errors_stay(const Record& record, const std::string& output, Target& target, const TrialSettings& settings) {
  CaseSpec other = record.spec;
  other.family = "queries times 17/16";
  const Record again = run_trial(other, target, settings);
  if (!again.actual.contains(output)) return false;
  const Judged before = expected_mechanism(record.spec, precision_for(record.spec, settings))[output];
  const Judged after = expected_mechanism(other, precision_for(other, settings))[output];
  const std::vector<double>&first = record.actual.at(output), &second = again.actual.at(output);
  if (first.size() != second.size()) return false;
  double product = 0, of_first = 0, of_second = 0;
  for (std::size_t n = 0; n < first.size(); ++n) {
    const double x = first[n] - before.values[n], y = second[n] - after.values[n];
    product += x * y, of_first += x * x, of_second += y * y;
  }
  return product > 0.7 * std::sqrt(of_first * of_second);
}

bool rounding_like(const Record& record, const std::string& output, Target& target, const TrialSettings& settings) {
  const std::vector<double>& actual = record.actual.at(output);
  if (distance(reference(record.spec, output, coarse_precision(record.spec)), actual).ratio > 1) return false;
  if (is_narrow(record.spec)) return true;
  if (!both_ways(reference(record.spec, output, precision_for(record.spec, settings)), actual)) return false;
  return is_plain_attention(record.spec.mechanism) || record.spec.family != "gaussian" ||
         !errors_stay(record, output, target, settings);
}

/// Whether wide types fail, but in no case of a few keys: what computes in a narrower type fails there too, so that
/// this loses or repeats keys.
bool right_at_few_keys(const std::vector<Record>& records, const std::vector<Open>& open) {
  constexpr Index few_keys = 64;
  const auto is_few = [](const CaseSpec& s) { return !is_narrow(s) && s.keys <= few_keys; };
  return std::any_of(open.begin(), open.end(), [](const Open& one) { return !is_narrow(one.record->spec); }) &&
         std::none_of(open.begin(), open.end(), [&](const Open& one) { return is_few(one.record->spec); }) &&
         std::any_of(records.begin(), records.end(), [&](const Record& r) { return r.judged && is_few(r.spec); });
}

}  // namespace

void name_narrower_type(std::vector<Record>& records, Target& target, const TrialSettings& settings, bool gradient) {
  std::vector<Open> open = open_failures(records, gradient);
  std::erase_if(open, [](const Open& one) {
    return compares_calls(one.record->spec) || !one.record->actual.contains(one.failure->output) ||
           cost(one.record->spec) > 2e7;
  });
  // Wide types first: what fails there for another reason fails in 16 bits for the same one.
  std::stable_partition(open.begin(), open.end(), [](const Open& one) { return !is_narrow(one.record->spec); });
  if (right_at_few_keys(records, open)) return;
  std::vector<Open> alike;
  std::size_t wide = 0, wide_alike = 0;
  for (const Open& one : open) {
    const bool narrow = is_narrow(one.record->spec);
    if (narrow && wide > wide_alike) continue;
    const bool is_alike = rounding_like(*one.record, one.failure->output, target, settings);
    if (!narrow) ++wide, wide_alike += is_alike ? 1 : 0;
    if (is_alike) alike.push_back(one);
  }
  // Rounding shows in every case; a formula that is nearly right is far off in some.
  const bool softmax = records.empty() || is_plain_attention(records.front().spec.mechanism);
  if (softmax ? wide > 0 && 4 * wide_alike <= wide : 4 * wide_alike < 3 * wide) return;
  for (const Open& one : alike) {
    one.failure->guessed = true;
    one.failure->fault = gradient                       ? fault::low_precision_in_gradients
                         : one.failure->output == "lse" ? fault::wrong_lse
                                                        : fault::low_precision;
  }
}

}  // namespace attest::judge
