// Calls of the same extents with other options.
#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "simulations/judge/trial/compare_calls.hpp"
#include "simulations/judge/trial/mechanism_call.hpp"
#include "simulations/judge/trial/properties.hpp"

namespace attest::judge {
namespace {

/// A case of the same extents, and what is another one in it.
struct Other {
  CaseSpec spec;
  std::string what;
};

/// Other numbers in arrays, and what is not an array another one: the first of these that the case has.
Other with_another_option(const CaseSpec& spec, const Conventions& conventions) {
  CaseSpec next = spec;
  next.number += 1;
  if (!next.packed.empty()) {
    std::ranges::reverse(next.packed);
    std::ranges::reverse(next.packed_keys);
    return {next, "cu_seqlens"};
  }
  if (next.window) {
    ++next.window->first;
    return {next, "window"};
  }
  if (next.scale != 0) {
    next.scale *= 2;
    return {next, "scale"};
  }
  if (next.softcap != 0) {
    next.softcap *= 2;
    return {next, "softcap"};
  }
  if (next.padding > 0) {
    next.padding = next.padding > 1 ? 1 : 2;
    return {next, "number of padded keys"};
  }
  const std::pair<bool, const char*> arrays[] = {{!next.mask.empty(), "mask"},
                                                 {!next.bias.empty(), "bias"},
                                                 {next.alibi, "slope for each head"},
                                                 {next.sinks, "set of sinks"},
                                                 {next.dropout != 0, "dropout mask"}};
  for (const auto& [has, what] : arrays)
    if (has) return {next, what};
  if (next.causal && next.queries != next.keys && conventions.takes("alignment")) {
    next.corner = next.corner == Corner::top_left ? Corner::bottom_right : Corner::top_left;
    return {next, "alignment"};
  }
  if (!next.causal && conventions.takes("causal")) {
    next.causal = true;
    return {next, "value of causal"};
  }
  return {next, "set of numbers"};
}

Record with_what(Record record, const std::string& what) {
  for (Failure& failure : record.failures)
    if (failure.fault == fault::depends_on_earlier_calls)
      failure.message += fmt::format("; the call between has the same extents and another {}", what);
  return record;
}

}  // namespace

Record run_other_options(const CaseSpec& spec, Target& target, const TrialSettings& settings) {
  const Other other = with_another_option(spec, settings.conventions);
  const Problem first = problem_of(spec);
  Problem second = problem_of(other.spec);
  for (double& slope : second.slopes) slope /= 2;  // which follow from the number of heads
  const Precision precision = precision_for(spec, settings);
  const auto asked = [&](const Problem& problem) {
    return [&](Record& record) {
      return outputs_of(request_of(problem, settings.conventions), problem, target, settings, record);
    };
  };
  return with_what(repeated(
                       spec, first, expected_attention(first, precision), expected_attention(second, precision).out,
                       asked(first), asked(second), [&] { target.start_afresh(); }, settings),
                   other.what);
}

Record run_mechanism_other_options(const CaseSpec& spec, Target& target, const TrialSettings& settings) {
  const Other other = with_another_option(spec, settings.conventions);
  const MechanismCall first = mechanism_call(spec), second = mechanism_call(other.spec);
  const Expected of_first = expected_of(first, settings), of_second = expected_of(second, settings);
  const auto asked = [&](const MechanismCall& call, const Expected& expected) {
    return [&](Record& record) {
      std::optional<Outputs> outputs = answer_to(call, target, settings, record);
      if (outputs) accept_padded_rows(call.spec, expected, *outputs);
      return outputs;
    };
  };
  return with_what(repeated(
                       spec, extents_of(spec), of_first, of_second.out, asked(first, of_first),
                       asked(second, of_second), [&] { target.start_afresh(); }, settings),
                   other.what);
}

}  // namespace attest::judge
