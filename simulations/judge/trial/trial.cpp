#include "simulations/judge/trial/trial.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "simulations/judge/trial/answers.hpp"
#include "simulations/judge/trial/empty_rows.hpp"
#include "simulations/judge/trial/properties.hpp"

namespace attest::judge {
namespace {

/// "1.5 where 2", with as many digits as tell the two apart.
std::string told_apart(double actual, double belongs) {
  actual = without_sign_of_nan(actual), belongs = without_sign_of_nan(belongs);
  std::string text = fmt::format("{:.9g}", actual), other = fmt::format("{:.9g}", belongs);
  if (text == other) text = fmt::format("{}", actual), other = fmt::format("{}", belongs);
  return text + " where " + other;
}

/// The least relative error of one entry that would have failed, over the entries that are not tiny.
double least_caught(const Judged& judged) {
  double largest = 0, least = std::numeric_limits<double>::infinity();
  for (const double value : judged.values)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  for (std::size_t n = 0; n < judged.values.size(); ++n)
    if (std::isfinite(judged.values[n]) && std::abs(judged.values[n]) > largest / 100)
      least = std::min(least, judged.bounds[n] / std::abs(judged.values[n]));
  return least;
}

Record run_values(const CaseSpec& spec, Target& target, const TrialSettings& settings) {
  Record record{.spec = spec};
  Problem problem = problem_of(spec);
  if (settings.any_empty_rows) leave_out_empty_rows(problem);
  Request request = request_of(problem, settings.conventions);
  request.far = spec.property == Property::far_strides;
  const Expected expected = expected_attention(problem, precision_for(spec, settings));
  for (const Layout layout : layouts_of(spec.property)) {
    request.layout = layout;
    auto outputs = outputs_of(request, problem, target, settings, record);
    if (request.far) name_far_crashes(record);
    if (!outputs) return record;
    accept_empty_rows(problem, expected, settings, *outputs);
    if (spec.lse_gradient && !outputs->contains("lse")) {
      record.judged = false;  // there is no lse that could be differentiated
      return record;
    }
    judge_values(expected, *outputs, record);
    if (spec.gradient)
      for (const char* name : {"dq", "dk", "dv"})
        if (!outputs->contains(name) && record.failures.empty() && spec.property == Property::values)
          record.failures.push_back({name, std::numeric_limits<double>::infinity(), fault::returns_nothing,
                                     fmt::format("with dout, {} is not returned", name)});
    if (!record.failures.empty()) return with_layout(std::move(record), layout);
  }
  return record;
}

}  // namespace

std::vector<Layout> layouts_of(Property property) {
  if (property == Property::strides) return {Layout::tokens_first, Layout::features_first};
  if (property == Property::far_strides) return {Layout::packed, Layout::tokens_first};
  return {Layout::packed};
}

Record with_layout(Record record, Layout layout) {
  if (layout != Layout::packed)
    for (Failure& failure : record.failures) failure.message += fmt::format(" (arrays laid out {})", name(layout));
  return record;
}

void name_far_crashes(Record& record) {
  for (Failure& failure : record.failures)
    if (failure.fault == fault::crashes) failure.fault = fault::beyond_2g_entries;
}

Precision precision_for(const CaseSpec& spec, const TrialSettings& settings) {
  return precision_of(spec.type, settings.accumulation);
}

double without_sign_of_nan(double value) {
  return std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value;
}

double error_over_bound(double belongs, double bound, double actual) {
  if (belongs == actual || (std::isnan(belongs) && std::isnan(actual))) return 0;
  const bool numbers = std::isfinite(belongs) && std::isfinite(actual);
  return numbers && bound > 0 ? std::abs(actual - belongs) / bound : std::numeric_limits<double>::infinity();
}

Distance distance(const Judged& judged, const std::vector<double>& actual) {
  Distance worst;
  for (std::size_t n = 0; n < judged.values.size(); ++n) {
    const double ratio = error_over_bound(judged.values[n], judged.bounds[n], actual[n]);
    if (ratio > worst.ratio) worst = {ratio, n};
  }
  return worst;
}

void judge_values(const Expected& expected, const std::map<std::string, std::vector<double>>& outputs, Record& record) {
  for (const auto& [name, actual] : outputs) {
    const Judged* judged = expected.find(name);
    if (judged == nullptr || !judged->present() || judged->values.size() != actual.size()) continue;
    const Distance worst = distance(*judged, actual);
    double& ratio = record.ratios[name];
    ratio = std::max(ratio, worst.ratio);
    record.least_caught[name] = least_caught(*judged);
    if (worst.ratio <= 1) continue;
    record.failures.push_back(
        {name,
         worst.ratio,
         {},
         fmt::format("{}[{}] is {} belongs, within {:.2g}", name, worst.entry,
                     told_apart(actual[worst.entry], judged->values[worst.entry]), judged->bounds[worst.entry])});
  }
  if (!record.failures.empty()) record.actual = outputs;
}

Record run_trial(const CaseSpec& spec, Target& target, const TrialSettings& settings) {
  if (!is_plain_attention(spec.mechanism)) return run_mechanism(spec, target, settings);
  switch (spec.property) {
    case Property::values:
    case Property::strides:
    case Property::far_strides:
      return run_values(spec, target, settings);
    case Property::leak:
      return run_leak(spec, target, settings);
    case Property::causality:
      return run_causality(spec, target, settings);
    case Property::permutation:
    case Property::shift:
    case Property::linearity:
      return run_symmetry(spec, target, settings);
    case Property::heads:
    case Property::sequences:
    case Property::alone:
    case Property::mates:
      return run_apart(spec, target, settings);
    case Property::repeat:
      return run_repeat(spec, target, settings);
    case Property::other_options:
      return run_other_options(spec, target, settings);
    case Property::own_differences:
      return run_own_differences(spec, target, settings);
    case Property::rounding_bias:
      return run_rounding_bias(spec, target, settings);
    case Property::drawn_dropout:
      return run_drawn_dropout(spec, target, settings);
    case Property::padding:
      throw std::invalid_argument("the case's property 'padding' is not judged of softmax");
  }
  throw std::logic_error("a property without a trial");
}

}  // namespace attest::judge
