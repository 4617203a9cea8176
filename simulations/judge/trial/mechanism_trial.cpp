// Mechanisms other than softmax.
#include <limits>

#include <fmt/format.h>

#include "simulations/judge/reference/mechanism_reference.hpp"
#include "simulations/judge/trial/compare_calls.hpp"
#include "simulations/judge/trial/properties.hpp"

namespace attest::judge {

Record run_mechanism(const CaseSpec& spec, Target& target, const TrialSettings& settings) {
  Record record{.spec = spec};
  const attention::Call<double> call = call_of(spec);
  const std::map<std::string, Judged> expected = expected_mechanism(spec, precision_for(spec, settings));
  Problem extents;
  extents.type = spec.type;
  extents.batch = spec.batch, extents.heads = spec.heads, extents.kv_heads = spec.heads;
  extents.queries = spec.queries, extents.keys = spec.keys, extents.width = spec.width;
  extents.value_width = spec.value_width;
  attention::Tensor<double> dout;
  if (spec.gradient) dout = weights_of(spec, {spec.batch, spec.heads, spec.queries, spec.value_width});
  const auto outputs = outputs_of(mechanism_request(spec, call, settings.conventions, spec.gradient ? &dout : nullptr),
                                  extents, target, settings, record);
  if (!outputs) return record;
  Expected known;
  const auto put = [&](const char* name, Judged& to) {
    const auto found = expected.find(name);
    if (found != expected.end()) to = found->second;
  };
  put("out", known.out);
  put("dq", known.dq);
  put("dk", known.dk);
  put("dv", known.dv);
  judge_values(known, *outputs, record);
  if (spec.gradient && record.failures.empty())
    for (const char* name : {"dq", "dk", "dv"})
      if (!outputs->contains(name))
        record.failures.push_back({name, std::numeric_limits<double>::infinity(), "returns nothing",
                                   fmt::format("with dout, {} is not returned", name)});
  return record;
}

}  // namespace attest::judge
