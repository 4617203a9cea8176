#include "simulations/judge/reference/mechanism_reference.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

#include "kernels/attention/mechanism/example_call.hpp"
#include "kernels/random/stream.hpp"
#include "kernels/statistics/welford.hpp"
#include "simulations/arrays/rounding.hpp"
#include "simulations/judge/case/families.hpp"

namespace attest::judge {
namespace {

using attention::Call;
using attention::Tensor;

using Results = std::map<std::string, Tensor<double>>;

/// `weights`: R, whose gradients are asked for with spec.gradient.
Results evaluated(const attention::Mechanism& mechanism, const Call<double>& call, const CaseSpec& spec,
                  const Tensor<double>& weights) {
  const attention::Evaluation<double> evaluation = attention::evaluate(mechanism, call);
  Results results;
  results["out"] = evaluation.out;
  if (!spec.gradient) return results;
  for (auto& [name, gradient] : evaluation.backward(weights)) results["d" + name] = std::move(gradient);
  return results;
}

double largest_entry(const Tensor<double>& tensor) {
  double most = 0;
  for (const double value : tensor.values()) most = std::max(most, std::abs(value));
  return most;
}

/// D_v max|dout| max|v| max(1, |q|, |k|): the terms whose differences the gradients of weights are.
double size_of_terms(const CaseSpec& spec, const Call<double>& call, const Tensor<double>& dout) {
  return static_cast<double>(spec.value_width) * largest_entry(dout) * largest_entry(call.inputs.at("v")) *
         std::max({1.0, largest_entry(call.inputs.at("q")), largest_entry(call.inputs.at("k"))});
}

/// 1/(variance + eps), the largest over features and, with a causal mask, over the first 2, 3, ... keys; 1 for
/// mechanisms that divide by none. What a gradient of logits is multiplied with on its way to the keys.
double largest_inverse_variance(const CaseSpec& spec, const Call<double>& call) {
  if (!divides_by_variances(spec.mechanism)) return 1;
  const auto eps = call.settings.find("eps");
  double least = std::numeric_limits<double>::infinity();
  const Tensor<double>& k = call.inputs.at("k");
  const Index keys = k.extent(2), width = k.extent(3);
  for (Index head = 0; head < k.extent(0) * k.extent(1); ++head)
    for (Index d = 0; d < width; ++d) {
      statistics::Welford seen;
      for (Index n = 0; n < keys; ++n) {
        seen.add(k.data()[(head * keys + n) * width + d]);
        const bool counts = n + 1 == keys || (spec.causal && n > 0);
        if (counts) least = std::min(least, seen.variance() * static_cast<double>(n) / static_cast<double>(n + 1));
      }
    }
  return 1 / (std::max(least, 0.0) + (eps == call.settings.end() ? 1e-5 : std::strtod(eps->second.c_str(), nullptr)));
}

/// max(1, |x|) over all arrays, multiplied: what a number lost to underflow is multiplied with.
double size_of_factors(const Call<double>& call) {
  double product = 1;
  for (const auto& [name, tensor] : call.inputs) product *= std::max(1.0, largest_entry(tensor));
  return product;
}

/// The relative perturbations of one array, by the model of the header.
std::vector<double> relative_changes(const Tensor<double>& tensor, const Precision& size, random::Stream& stream) {
  const auto sign = [&] { return stream.uniform() < 0.5 ? 1.0 : -1.0; };
  const auto entries = static_cast<std::size_t>(tensor.size());
  std::vector<double> changes(entries);
  for (double& change : changes) change = std::sqrt(10) * size.sums * sign() + 2 * size.between * sign();
  if (tensor.shape().size() != 4 || entries == 0) return changes;
  const auto tokens = static_cast<std::size_t>(tensor.extent(2)), features = static_cast<std::size_t>(tensor.extent(3));
  const auto walk = [&](std::size_t start, std::size_t count, std::size_t stride) {
    const bool from_end = stream.uniform() < 0.5;
    double sum = 0;
    for (std::size_t n = 0; n < count; ++n) {
      sum += size.sums * sign();
      changes[start + (from_end ? count - 1 - n : n) * stride] += sum;
    }
  };
  for (std::size_t row = 0; row < entries; row += features) {
    walk(row, features, 1);
    const double of_row = 2 * size.between * sign();
    for (std::size_t d = 0; d < features; ++d) changes[row + d] += of_row;
  }
  for (std::size_t start = 0; start < entries; start += tokens * features)
    for (std::size_t d = 0; d < features; ++d) walk(start + d, tokens, features);
  return changes;
}

/// Each entry at least the root mean square over its last axis: few draws give a small one by luck.
void pool_rows(std::vector<double>& sigmas, std::size_t row) {
  for (std::size_t start = 0; start + row <= sigmas.size(); start += row) {
    double all = 0;
    for (std::size_t n = start; n < start + row; ++n) all = std::hypot(all, sigmas[n]);
    for (std::size_t n = start; n < start + row; ++n)
      sigmas[n] = std::max(sigmas[n], all / std::sqrt(static_cast<double>(row)));
  }
}

void put_mask(const CaseSpec& spec, attention::Mask& mask) {
  if (spec.mask.starts_with("bool")) {
    const PairArray<std::uint8_t> visible = boolean_mask(spec);
    mask.visible = visible.values;
    mask.visible_sequences = visible.per_sequence ? spec.batch : 1;
    mask.visible_heads = visible.per_head ? spec.heads : 1;
  }
  if (spec.padding == 0) return;
  if (spec.padding >= spec.keys) throw std::invalid_argument("a case in which every key is padded");
  mask.key_lengths.assign(static_cast<std::size_t>(spec.batch), spec.keys);
  mask.key_lengths.back() -= spec.padding;
}

arrays::Array mask_array(const CaseSpec& spec, const attention::Mask& mask) {
  std::vector<Index> shape = {spec.queries, spec.keys};
  if (mask.visible_sequences > 1 || mask.visible_heads > 1)
    shape.insert(shape.begin(), {mask.visible_sequences, mask.visible_heads});
  return {arrays::ElementType::boolean, std::move(shape), std::string(mask.visible.begin(), mask.visible.end())};
}

/// "true", "2.5", "3,2" or text as JSON.
nlohmann::json option_value(const std::string& text) {
  if (text.find(',') != std::string::npos) {
    nlohmann::json list = nlohmann::json::array();
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ',');) list.push_back(option_value(part));
    const bool numbers = std::ranges::all_of(list, [](const nlohmann::json& entry) { return entry.is_number(); });
    return numbers ? list : nlohmann::json(text);
  }
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
  // Where queries and keys are the same tokens, or values as wide as keys, a letter stands for both.
  if (call.inputs.at("k").extent(2) != spec.keys || call.inputs.at("v").extent(3) != spec.value_width)
    throw std::invalid_argument(fmt::format("{} does not take {} queries, {} keys and values of width {}",
                                            spec.mechanism, spec.queries, spec.keys, spec.value_width));
  for (const char* name : {"q", "k", "v"}) {
    const auto found = call.inputs.find(name);
    if (found == call.inputs.end() || found->second.shape().size() != 4) continue;
    const std::vector<double> trained = activation_entries(spec, name, found->second.shape());
    std::copy(trained.begin(), trained.end(), found->second.values().begin());
  }
  for (auto& [name, tensor] : call.inputs)
    for (double& entry : tensor.values()) entry = rounded(entry, spec.type);
  if (spec.family == "keys as queries" && call.inputs.at("k").shape() == call.inputs.at("q").shape())
    call.inputs.at("k") = call.inputs.at("q");
  if (spec.family == "required inputs alone")
    for (const attention::InputSpec& input : mechanism.inputs)
      if (!input.required) call.inputs.erase(input.name);
  if (spec.family == "large features")
    for (const char* name : {"q", "k"})
      for (Index n = 0; n < call.inputs.at(name).size(); n += spec.width) {
        double& first = call.inputs.at(name).values()[static_cast<std::size_t>(n)];
        first = rounded(90 + 10 * std::abs(first), spec.type);
      }
  if (spec.family == "queries times 17/16")
    for (double& entry : call.inputs.at("q").values()) entry = rounded(entry * 17 / 16, spec.type);
  if (spec.family == "identity") {
    Tensor<double>& v = call.inputs.at("v");
    const Index width = v.extent(3), rows = v.extent(2);
    for (Index n = 0; n < v.size(); ++n)
      v.values()[static_cast<std::size_t>(n)] = n / width % rows == n % width ? 1 : 0;
  }
  // A case is small: to wake a second thread takes longer than its share.
  call.threads = 1;
  if (spec.causal) call.mask.causal = true;
  put_mask(spec, call.mask);
  if (declares(mechanism, "alignment") && !call.settings.contains("alignment"))
    call.settings["alignment"] = spec.corner == Corner::top_left ? "top-left" : "bottom-right";
  return call;
}

Request mechanism_request(const CaseSpec& spec, const Call<double>& call, const Conventions& conventions,
                          const Tensor<double>* dout) {
  Request request;
  for (const auto& [name, tensor] : call.inputs)
    request.arrays[name] = array_in(spec.type, tensor.shape(), tensor.values());
  if (!call.mask.visible.empty()) request.arrays["mask"] = mask_array(spec, call.mask);
  if (!call.mask.key_lengths.empty()) request.arrays["key_lengths"] = array_of_lengths(call.mask.key_lengths);
  if (dout != nullptr) request.arrays["dout"] = array_in(spec.type, dout->shape(), dout->values());
  for (const auto& [key, value] : call.settings) {
    if (key != "alignment")
      request.options[key] = option_value(value);
    else if (spec.settings.contains(key) || conventions.takes(key))
      request.options[key] = value == "top-left" ? "top_left" : "bottom_right";
  }
  if (spec.causal && (!conventions.causal_always || conventions.takes("causal"))) request.options["causal"] = true;
  for (const std::string& name : conventions.signature.required)
    if (!request.options.contains(name) && !request.arrays.contains(name)) request.options[name] = nullptr;
  return request;
}

Tensor<double> weights_of(const CaseSpec& spec, const attention::Shape& out) {
  Tensor<double> weights = attention::example_array<double>(out, "R", spec.seed + 7 * spec.number);
  for (double& entry : weights.values()) entry = rounded(entry, spec.type);
  return weights;
}

std::map<std::string, Judged> expected_mechanism(const CaseSpec& spec, const Precision& precision) {
  Tensor<double> dout;
  if (spec.gradient) dout = weights_of(spec, {spec.batch, spec.heads, spec.queries, spec.value_width});
  return expected_mechanism(spec, call_of(spec), dout, precision);
}

std::map<std::string, Judged> expected_mechanism(const CaseSpec& spec, const Call<double>& call,
                                                 const Tensor<double>& dout, const Precision& precision) {
  const attention::Mechanism& mechanism = attention::find_mechanism(spec.mechanism);
  const Results plain = evaluated(mechanism, call, spec, dout);
  std::map<std::string, Judged> expected;
  for (const auto& [name, tensor] : plain) {
    expected[name].values.assign(tensor.values().begin(), tensor.values().end());
    expected[name].bounds.assign(expected[name].values.size(), 0.0);
  }
  // Smaller perturbations would drown in the evaluation's own rounding: measured at this size, and scaled.
  const double enlarged = std::max(1.0, 0x1p-30 / precision.sums);
  Precision measured = precision;
  measured.sums *= enlarged, measured.between *= enlarged;
  constexpr int draws = 8;
  for (int draw = 0; draw < draws; ++draw) {
    Call<double> moved = call;
    Tensor<double> moved_dout = dout;
    const auto move = [&](const std::string& name, Tensor<double>& tensor) {
      random::Stream stream(spec.seed, random::stream_key("condition " + name), static_cast<std::uint64_t>(draw));
      const std::vector<double> changes = relative_changes(tensor, measured, stream);
      for (std::size_t n = 0; n < changes.size(); ++n) tensor.values()[n] *= 1 + changes[n];
    };
    for (auto& [name, tensor] : moved.inputs) move(name, tensor);
    if (spec.gradient) move("dout", moved_dout);
    for (const auto& [name, tensor] : evaluated(mechanism, moved, spec, moved_dout)) {
      Judged& of = expected.at(name);
      for (std::size_t n = 0; n < of.values.size(); ++n)
        of.bounds[n] = std::hypot(of.bounds[n], (tensor.values()[n] - of.values[n]) / (enlarged * std::sqrt(draws)));
    }
  }
  const double roundings = static_cast<double>(spec.keys + std::max(spec.width, spec.value_width)) + 10;
  const double terms = spec.gradient ? size_of_terms(spec, call, dout) : 0;
  const double of_terms = (std::sqrt(roundings) * precision.sums + 2 * precision.between) * terms;
  const double of_reference =
      spec.gradient ? std::sqrt(roundings) * 0x1p-53 * terms * largest_inverse_variance(spec, call) : 0;
  const double of_step = 2 * precision.sums + precision.between;
  const double underflow =
      static_cast<double>(std::max(spec.queries, spec.keys)) * precision.tiny * size_of_factors(call);
  for (auto& [name, judged] : expected) {
    pool_rows(judged.bounds, static_cast<std::size_t>(plain.at(name).shape().back()));
    const double of_values = of_step * largest_entry(name == "out" ? call.inputs.at("v") : dout);
    const double more = name == "out" || name == "dv" ? of_values : of_terms + of_reference;
    for (std::size_t n = 0; n < judged.values.size(); ++n)
      judged.bounds[n] = 6 * (judged.bounds[n] + more) + precision.stored * std::abs(judged.values[n]) + underflow +
                         precision.tiny_stored;
  }
  return expected;
}

}  // namespace attest::judge
