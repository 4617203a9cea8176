#include "simulations/judge/reference/mechanism_reference.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "kernels/attention/mechanism/example_call.hpp"
#include "kernels/random/stream.hpp"
#include "simulations/judge/case/number_types.hpp"

namespace attest::judge {
namespace {

using attention::Call;
using attention::Tensor;

using Results = std::map<std::string, Tensor<double>>;

Results evaluated(const attention::Mechanism& mechanism, const Call<double>& call, const CaseSpec& spec) {
  const attention::Evaluation<double> evaluation = attention::evaluate(mechanism, call);
  Results results;
  results["out"] = evaluation.out;
  if (!spec.gradient) return results;
  for (auto& [name, gradient] : evaluation.backward(weights_of(spec, evaluation.out.shape())))
    results["d" + name] = std::move(gradient);
  return results;
}

/// D_v max|dout| max|v| max(1, |q|, |k|).
double size_of_terms(const CaseSpec& spec, const Call<double>& call) {
  const auto largest = [](const Tensor<double>& tensor) {
    double most = 0;
    for (const double value : tensor.values()) most = std::max(most, std::abs(value));
    return most;
  };
  const Tensor<double> dout = weights_of(spec, {spec.batch, spec.heads, spec.queries, spec.value_width});
  return static_cast<double>(spec.value_width) * largest(dout) * largest(call.inputs.at("v")) *
         std::max({1.0, largest(call.inputs.at("q")), largest(call.inputs.at("k"))});
}

/// "true", "2.5" or text as JSON.
nlohmann::json option_value(const std::string& text) {
  if (text == "true" || text == "false") return text == "true";
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !std::isfinite(number)) return text;
  if (number == std::floor(number) && std::abs(number) < 1e15 && text.find_first_of(".eE") == std::string::npos)
    return static_cast<std::int64_t>(number);
  return number;
}

}  // namespace

Call<double> call_of(const CaseSpec& spec) {
  const attention::Mechanism& mechanism = attention::find_mechanism(spec.mechanism);
  attention::Letters letters = attention::example_letters();
  letters["B"] = spec.batch;
  letters["H"] = spec.heads;
  letters["H_kv"] = spec.kv_heads;
  letters["N"] = letters["N_q"] = spec.queries;
  letters["N_k"] = spec.keys;
  letters["D"] = spec.width;
  letters["D_v"] = spec.value_width;
  attention::Settings settings(spec.settings.begin(), spec.settings.end());
  Call<double> call =
      attention::example_call<double>(mechanism, settings, spec.seed + 1000003 * spec.number, {}, letters);
  for (auto& [name, tensor] : call.inputs)
    for (double& entry : tensor.values()) entry = rounded_to(spec.type, entry);
  if (spec.family == "queries times 17/16")
    for (double& entry : call.inputs.at("q").values()) entry = rounded_to(spec.type, entry * 17 / 16);
  if (spec.family == "identity") {
    Tensor<double>& v = call.inputs.at("v");
    const Index width = v.extent(3), rows = v.extent(2);
    for (Index n = 0; n < v.size(); ++n)
      v.values()[static_cast<std::size_t>(n)] = n / width % rows == n % width ? 1 : 0;
  }
  if (spec.causal) call.mask.causal = true;
  return call;
}

Request mechanism_request(const CaseSpec& spec, const Call<double>& call, const Conventions& conventions,
                          const Tensor<double>* dout) {
  Request request;
  for (const auto& [name, tensor] : call.inputs)
    request.arrays[name] = array_in(spec.type, tensor.shape(), tensor.values());
  if (dout != nullptr) request.arrays["dout"] = array_in(spec.type, dout->shape(), dout->values());
  for (const auto& [key, value] : call.settings) request.options[key] = option_value(value);
  if (spec.causal) request.options["causal"] = true;
  for (const std::string& name : conventions.signature.required)
    if (!request.options.contains(name) && !request.arrays.contains(name)) request.options[name] = nullptr;
  return request;
}

Tensor<double> weights_of(const CaseSpec& spec, const attention::Shape& out) {
  Tensor<double> weights = attention::example_array<double>(out, "R", spec.seed + 7 * spec.number);
  for (double& entry : weights.values()) entry = rounded_to(spec.type, entry);
  return weights;
}

std::map<std::string, Judged> expected_mechanism(const CaseSpec& spec, const Precision& precision) {
  const attention::Mechanism& mechanism = attention::find_mechanism(spec.mechanism);
  const Call<double> call = call_of(spec);
  const Results plain = evaluated(mechanism, call, spec);
  std::map<std::string, Judged> expected;
  for (const auto& [name, tensor] : plain) {
    expected[name].values.assign(tensor.values().begin(), tensor.values().end());
    expected[name].bounds.assign(expected[name].values.size(), 0.0);
  }
  constexpr double size = 0x1p-26;
  constexpr int draws = 8;
  for (int draw = 0; draw < draws; ++draw) {
    Call<double> moved = call;
    random::Stream stream(spec.seed, random::claim_key("condition"), static_cast<std::uint64_t>(draw));
    for (auto& [name, tensor] : moved.inputs)
      for (double& entry : tensor.values()) entry *= 1 + size * (stream.uniform() < 0.5 ? -1 : 1);
    for (const auto& [name, tensor] : evaluated(mechanism, moved, spec))
      for (std::size_t n = 0; n < expected[name].values.size(); ++n)
        expected[name].bounds[n] =
            std::max(expected[name].bounds[n], std::abs(tensor.values()[n] - expected[name].values[n]) / size);
  }
  const double terms = 16 * static_cast<double>(spec.keys + spec.width);
  for (auto& [name, judged] : expected) {
    double largest = 0;
    for (const double value : judged.values) largest = std::max(largest, std::abs(value));
    // Gradients of weights are differences of terms of this size, which may cancel whatever the condition.
    if (name != "out" && name != "dv") largest += size_of_terms(spec, call);
    for (std::size_t n = 0; n < judged.values.size(); ++n)
      judged.bounds[n] = (terms * precision.sums + 4 * precision.between) * (judged.bounds[n] + largest) +
                         precision.stored * std::abs(judged.values[n]) + precision.tiny_stored;
  }
  return expected;
}

}  // namespace attest::judge
