#include "simulations/judge/trial/mechanism_call.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/attention/mechanism/letters.hpp"
#include "simulations/arrays/rounding.hpp"

namespace attest::judge {
namespace {

using attention::InputSpec;
using attention::Tensor;

std::vector<std::string> letters_of_input(const InputSpec& input, const Tensor<double>& array) {
  return attention::letters_of(form_of(input, array.shape()));
}

}  // namespace

MechanismCall mechanism_call(const CaseSpec& spec) {
  MechanismCall call{spec, attention::find_mechanism(spec.mechanism), call_of(spec), {}};
  if (!spec.gradient) return call;
  call.dout = weights_of(spec, {spec.batch, spec.heads, spec.queries, spec.value_width});
  for (Index row = 0; row < spec.batch * spec.heads * spec.queries; ++row)
    if (is_padded(spec, {row / (spec.heads * spec.queries), 0, row % spec.queries}))
      std::fill_n(call.dout.data() + row * spec.value_width, spec.value_width, 0.0);
  return call;
}

bool is_padded(const CaseSpec& spec, const Row& row) {
  return spec.padding > 0 && spec.queries == spec.keys && row.b == spec.batch - 1 && row.n >= spec.keys - spec.padding;
}

void accept_padded_rows(const CaseSpec& spec, const Expected& expected, Outputs& outputs) {
  for (const auto& [name, judged] : {std::pair{"out", &expected.out}, std::pair{"dq", &expected.dq}}) {
    const auto found = outputs.find(name);
    if (found == outputs.end() || found->second.size() != judged->values.size()) continue;
    const RowShape shape = row_shape(name, extents_of(spec));
    for (Index n = 0; n < shape.batch * shape.heads * shape.rows; ++n)
      if (is_padded(spec, {n / (shape.heads * shape.rows), 0, n % shape.rows}))
        std::copy_n(judged->values.begin() + n * shape.width, shape.width, found->second.begin() + n * shape.width);
  }
}

Problem extents_of(const CaseSpec& spec) {
  Problem extents;
  extents.type = spec.type;
  extents.batch = spec.batch, extents.heads = spec.heads, extents.kv_heads = spec.heads;
  extents.queries = spec.queries, extents.keys = spec.keys, extents.width = spec.width;
  extents.value_width = spec.value_width;
  return extents;
}

std::optional<Outputs> answer_to(const MechanismCall& call, Target& target, const TrialSettings& settings,
                                 Record& record, Layout layout) {
  Request request =
      mechanism_request(call.spec, call.call, settings.conventions, call.spec.gradient ? &call.dout : nullptr);
  request.layout = layout;
  request.far = call.spec.property == Property::far_strides;
  return outputs_of(request, extents_of(call.spec), target, settings, record);
}

Expected expected_of(const MechanismCall& call, const TrialSettings& settings) {
  std::map<std::string, Judged> found =
      expected_mechanism(call.spec, call.call, call.dout, precision_for(call.spec, settings));
  Expected expected;
  expected.out = found["out"];
  expected.dq = found["dq"], expected.dk = found["dk"], expected.dv = found["dv"];
  return expected;
}

void replace_at(MechanismCall& call, const std::vector<std::string>& letters, Index at, double factor) {
  for (const InputSpec& input : call.mechanism.inputs) {
    const auto found = call.call.inputs.find(input.name);
    if (found == call.call.inputs.end()) continue;
    Tensor<double>& array = found->second;
    const std::vector<double> fresh = fresh_normals(call.spec, input.name, static_cast<std::size_t>(array.size()));
    const std::vector<std::string> axes = letters_of_input(input, array);
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
      if (std::find(letters.begin(), letters.end(), axes[axis]) == letters.end()) continue;
      Index inner = 1;
      for (std::size_t later = axis + 1; later < axes.size(); ++later) inner *= array.extent(static_cast<Index>(later));
      const double by = input.name == "q" || input.name == "k" ? factor : 1;
      for (Index n = 0; n < array.size(); ++n) {
        if (n / inner % array.extent(static_cast<Index>(axis)) != at) continue;
        const double drawn = fresh[static_cast<std::size_t>(n)];
        array.data()[n] = rounded(by * (input.positive ? std::abs(drawn) + 0.5 : drawn), call.spec.type);
      }
    }
  }
}

MechanismCall alone(const MechanismCall& call, Index b) {
  MechanismCall one = call;
  one.spec.batch = 1;
  attention::Mask& mask = one.call.mask;
  if (!mask.key_lengths.empty()) mask.key_lengths = {mask.key_lengths.at(static_cast<std::size_t>(b))};
  if (mask.visible_sequences > 1) {
    const auto each = static_cast<std::ptrdiff_t>(mask.visible.size()) / mask.visible_sequences;
    mask.visible = {mask.visible.begin() + b * each, mask.visible.begin() + (b + 1) * each};
    mask.visible_sequences = 1;
  }
  const auto cut = [&](const Tensor<double>& array) {
    attention::Shape shape = array.shape();
    const Index each = array.size() / shape.front();
    shape.front() = 1;
    Tensor<double> result(shape);
    std::copy_n(array.data() + b * each, each, result.data());
    return result;
  };
  for (const InputSpec& input : call.mechanism.inputs) {
    const auto found = one.call.inputs.find(input.name);
    if (found == one.call.inputs.end()) continue;
    const std::vector<std::string> axes = letters_of_input(input, found->second);
    if (!axes.empty() && axes.front() == "B") found->second = cut(found->second);
  }
  if (!one.dout.empty()) one.dout = cut(one.dout);
  return one;
}

}  // namespace attest::judge
