// Mechanisms other than softmax.
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "simulations/judge/trial/mechanism_call.hpp"
#include "simulations/judge/trial/properties.hpp"

namespace attest::judge {
namespace {

Record run_mechanism_values(const CaseSpec& spec, Target& target, const TrialSettings& settings) {
  Record record{.spec = spec};
  const MechanismCall call = mechanism_call(spec);
  const Expected expected = expected_of(call, settings);
  const auto outputs = answer_to(call, target, settings, record);
  if (spec.property == "far strides") name_far_crashes(record);
  if (!outputs) return record;
  judge_values(expected, *outputs, record);
  if (spec.gradient && record.failures.empty())
    for (const char* name : {"dq", "dk", "dv"})
      if (!outputs->contains(name))
        record.failures.push_back({name, std::numeric_limits<double>::infinity(), "returns nothing",
                                   fmt::format("with dout, {} is not returned", name)});
  return record;
}

}  // namespace

Record run_mechanism(const CaseSpec& spec, Target& target, const TrialSettings& settings) {
  const std::string& property = spec.property;
  if (property == "values" || property == "strides" || property == "far strides")
    return run_mechanism_values(spec, target, settings);
  if (property == "permutation" || property == "shift" || property == "linearity")
    return run_mechanism_symmetry(spec, target, settings);
  if (property == "heads" || property == "sequences" || property == "mates" || property == "alone")
    return run_mechanism_apart(spec, target, settings);
  if (property == "repeat") return run_mechanism_repeat(spec, target, settings);
  if (property == "leak") return run_mechanism_leak(spec, target, settings);
  if (property == "causality") return run_mechanism_causality(spec, target, settings);
  if (property == "own differences") return run_mechanism_differences(spec, target, settings);
  throw std::invalid_argument("the case's property '" + property + "' is not judged of " + spec.mechanism);
}

}  // namespace attest::judge
