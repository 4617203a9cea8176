// Mechanisms other than softmax.
#include <limits>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "simulations/judge/trial/mechanism_call.hpp"
#include "simulations/judge/trial/properties.hpp"

namespace attest::judge {
namespace {

Record run_mechanism_values(const CaseSpec& spec, Target& target, const TrialSettings& settings) {
  Record record{.spec = spec};
  const MechanismCall call = mechanism_call(spec);
  const Expected expected = expected_of(call, settings);
  for (const Layout layout : layouts_of(spec.property)) {
    auto outputs = answer_to(call, target, settings, record, layout);
    if (spec.property == Property::far_strides) name_far_crashes(record);
    if (!outputs) return record;
    accept_padded_rows(spec, expected, *outputs);
    judge_values(expected, *outputs, record);
    if (spec.gradient && record.failures.empty())
      for (const char* name : {"dq", "dk", "dv"})
        if (!outputs->contains(name))
          record.failures.push_back({name, std::numeric_limits<double>::infinity(), fault::returns_nothing,
                                     fmt::format("with dout, {} is not returned", name)});
    if (!record.failures.empty()) return with_layout(std::move(record), layout);
  }
  return record;
}

}  // namespace

Record run_mechanism(const CaseSpec& spec, Target& target, const TrialSettings& settings) {
  switch (spec.property) {
    case Property::values:
    case Property::strides:
    case Property::far_strides:
      return run_mechanism_values(spec, target, settings);
    case Property::permutation:
    case Property::shift:
    case Property::linearity:
      return run_mechanism_symmetry(spec, target, settings);
    case Property::heads:
    case Property::sequences:
    case Property::mates:
    case Property::alone:
      return run_mechanism_apart(spec, target, settings);
    case Property::repeat:
      return run_mechanism_repeat(spec, target, settings);
    case Property::other_options:
      return run_mechanism_other_options(spec, target, settings);
    case Property::leak:
      return run_mechanism_leak(spec, target, settings);
    case Property::causality:
      return run_mechanism_causality(spec, target, settings);
    case Property::padding:
      return run_mechanism_padding(spec, target, settings);
    case Property::own_differences:
      return run_mechanism_differences(spec, target, settings);
    case Property::rounding_bias:
    case Property::drawn_dropout:
      break;
  }
  throw std::invalid_argument(
      fmt::format("the case's property '{}' is not judged of {}", name(spec.property), spec.mechanism));
}

}  // namespace attest::judge
