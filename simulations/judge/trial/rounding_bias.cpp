// Errors of 16-bit arithmetic that do not average out.
#include <cmath>

#include <fmt/format.h>

#include "simulations/arrays/rounding.hpp"
#include "simulations/judge/trial/compare_calls.hpp"
#include "simulations/judge/trial/properties.hpp"

namespace attest::judge {

Record run_rounding_bias(const CaseSpec& spec, Target& target, const TrialSettings& settings) {
  Record record{.spec = spec};
  const Problem problem = problem_of(spec);
  const auto outputs = outputs_of(request_of(problem, settings.conventions), problem, target, settings, record);
  if (!outputs || !outputs->contains("out")) return record;
  const Expected expected = expected_attention(problem, precision_for(spec, settings));
  judge_values(expected, *outputs, record);
  if (!record.failures.empty()) return record;
  // Entries of a row share the roundings of its weights: one observation a row.
  const std::vector<double>& out = outputs->at("out");
  const std::size_t width = static_cast<std::size_t>(problem.value_width), rows = out.size() / width;
  const double u = unit_roundoff(spec.type);
  double sum = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    double of_row = 0;
    for (std::size_t d = 0; d < width; ++d) {
      const std::size_t n = row * width + d;
      of_row += (out[n] - expected.out.values[n]) / (u * std::abs(expected.out.values[n]));
    }
    sum += of_row / static_cast<double>(width);
  }
  // With positive values the weights' roundings come to at most u |out|, so does the output's; logits that are stored
  // add theirs with either sign.
  constexpr double largest = 3, alpha = 1e-12;
  const double count = static_cast<double>(rows), mean = sum / count;
  const double bound = largest * std::sqrt(2 * std::log(2 / alpha) / count);
  const double ratio = std::abs(mean) / bound;
  record.ratios["out"] = std::max(record.ratios["out"], ratio);
  if (ratio > 1)
    record.failures.push_back({"out", ratio, fault::rounding_is_biased,
                               fmt::format("the mean error over {} rows is {:.3g} u |out|, within {:.2g} if roundings "
                                           "were as often up as down",
                                           rows, without_sign_of_nan(mean), bound)});
  return record;
}

}  // namespace attest::judge
