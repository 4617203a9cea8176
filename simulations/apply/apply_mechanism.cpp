#include "simulations/apply/apply_mechanism.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "kernels/attention/mechanism/example_call.hpp"
#include "kernels/statistics/compensated_sum.hpp"
#include "simulations/apply/call_from_arrays.hpp"
#include "simulations/arrays/rounding.hpp"

namespace attest::apply {

using arrays::floating_array;
using arrays::floating_values;
using arrays::shape_text;

namespace {

constexpr const char* weights_name = "R";
constexpr const char* lse_weights_name = "R_lse";
constexpr std::uint64_t example_seed = 1;

template <typename T>
attention::Tensor<T> output_weights(const char* name, const Array& array, const attention::Shape& shape) {
  attention::Tensor<T> weights = tensor_from<T>(name, array);
  if (weights.shape() != shape)
    throw std::invalid_argument(fmt::format("{} has the shape {} where the output has {}", name,
                                            shape_text(weights.shape()), shape_text(shape)));
  for (const T weight : weights.values())
    if (!std::isfinite(weight))
      throw std::invalid_argument(fmt::format("{} holds {}; give finite numbers", name, weight));
  return weights;
}

template <typename T>
Array array_from(const attention::Tensor<T>& tensor) {
  return floating_array<T>(tensor.shape(), tensor.values());
}

/// sum(values * weights), infinite values aside.
template <typename T>
void add_products(statistics::CompensatedSum& sum, const attention::Tensor<T>& values,
                  const attention::Tensor<T>& weights) {
  for (std::size_t i = 0; i < weights.values().size(); ++i)
    if (std::isfinite(values.values()[i]))
      sum.add(static_cast<double>(values.values()[i]) * static_cast<double>(weights.values()[i]));
}

template <typename T>
void put_gradients(NamedArrays& results, attention::Evaluation<T>& evaluation, const NamedArrays& arrays,
                   const ApplyPlan& plan) {
  const auto given = arrays.find(weights_name);
  if (given == arrays.end())
    throw std::invalid_argument(fmt::format("--grad needs the array R of the output's shape {} in the input",
                                            shape_text(evaluation.out.shape())));
  const attention::Tensor<T> weights = output_weights<T>(weights_name, given->second, evaluation.out.shape());
  statistics::CompensatedSum sum;
  add_products(sum, evaluation.out, weights);
  attention::Arrays<T> gradients;
  if (const auto of_lse = arrays.find(lse_weights_name); plan.lse && of_lse != arrays.end()) {
    const attention::Tensor<T> lse_weights =
        output_weights<T>(lse_weights_name, of_lse->second, evaluation.lse.shape());
    add_products(sum, evaluation.lse, lse_weights);
    gradients = evaluation.backward_with_lse(weights, lse_weights);
  } else {
    gradients = evaluation.backward(weights);
  }
  const T loss = static_cast<T>(sum.value());
  results["loss"] = floating_array<T>({}, {&loss, 1});
  for (const auto& [name, gradient] : gradients) results["grad." + name] = array_from(gradient);
}

template <typename T>
NamedArrays applied(const attention::Mechanism& mechanism, const NamedArrays& arrays, const ApplyPlan& plan) {
  attention::Call<T> call = call_from_arrays<T>(arrays, plan.settings);
  call.threads = plan.threads;
  call.device = plan.device;
  attention::Evaluation<T> evaluation = attention::evaluate(mechanism, call);
  NamedArrays results;
  results["out"] = array_from(evaluation.out);
  if (plan.lse) results["lse"] = array_from(evaluation.lse);
  if (plan.gradients) put_gradients(results, evaluation, arrays, plan);
  return results;
}

/// Errors: std::invalid_argument when a finite entry becomes infinite, or a gradient or the loss is not finite: outputs
/// have been looked at by attention::evaluate.
NamedArrays rounded_results(const NamedArrays& results, ElementType type) {
  NamedArrays all;
  for (const auto& [name, array] : results) {
    const std::vector<double> exact = floating_values<double>(array);
    const bool may_be_infinite = name == "out" || name == "lse", narrows = array.type != type;
    for (const double entry : exact)
      if (std::isfinite(entry) ? narrows && std::isinf(rounded(entry, type)) : !may_be_infinite)
        throw std::invalid_argument(fmt::format("{} has an entry that overflows {}; give smaller inputs{}", name,
                                                arrays::name(type),
                                                type == ElementType::float64 ? "" : " or use --dtype float64"));
    all[name] = rounded(array, type);
  }
  return all;
}

}  // namespace

NamedArrays apply_mechanism(const attention::Mechanism& mechanism, const NamedArrays& arrays, const ApplyPlan& plan) {
  if (plan.lse && !mechanism.gives_lse)
    throw std::invalid_argument(
        fmt::format("--lse: {} gives no lse, because its output is not one softmax of logits", mechanism.name));
  const NamedArrays inputs = in_other_layout(mechanism, rounded_inputs(arrays, plan.type), plan.layout);
  const NamedArrays results = plan.type == ElementType::float32 ? applied<float>(mechanism, inputs, plan)
                                                                : applied<double>(mechanism, inputs, plan);
  return in_other_layout(mechanism, rounded_results(results, plan.type), plan.layout);
}

NamedArrays rounded_inputs(const NamedArrays& arrays, ElementType type) {
  NamedArrays result = arrays;
  for (auto& [name, array] : result) {
    if (!is_floating(array.type) || unit_roundoff(array.type) >= unit_roundoff(type)) continue;
    const Array narrow = rounded(array, type);
    const std::vector<double> before = floating_values<double>(array), after = floating_values<double>(narrow);
    for (std::size_t i = 0; i < before.size(); ++i)
      if (std::isinf(after[i]) && std::isfinite(before[i]))
        throw std::invalid_argument(
            fmt::format("{} holds {}, which is beyond {}; use --dtype float64", name, before[i], arrays::name(type)));
    array = narrow;
  }
  return result;
}

attention::Settings example_settings(const attention::Mechanism& mechanism, attention::Settings settings) {
  for (const attention::OptionSpec& option : mechanism.options)
    if (option.fallback.empty() && !option.example.empty()) settings.emplace(option.name, option.example);
  const auto are_taken = [&](const attention::Settings& tried) {
    try {
      attention::evaluate(mechanism, attention::example_call<double>(mechanism, tried, example_seed));
      return true;
    } catch (const std::invalid_argument&) {
      return false;
    }
  };
  if (are_taken(settings)) return settings;
  for (const attention::OptionSpec& option : mechanism.options) {
    attention::Settings tried = settings;
    if (!option.example.empty() && tried.emplace(option.name, option.example).second && are_taken(tried)) return tried;
  }
  return settings;  // refused for what the caller gave, in the mechanism's own words
}

NamedArrays example_arrays(const attention::Mechanism& mechanism, const attention::Settings& settings) {
  attention::Call<double> call = attention::example_call<double>(mechanism, settings, example_seed);
  NamedArrays arrays;
  for (const auto& [name, tensor] : call.inputs) arrays[name] = array_from(tensor);
  const attention::Shape shape = attention::evaluate(mechanism, call).out.shape();
  arrays[weights_name] = array_from(attention::example_array<double>(shape, weights_name, example_seed));
  return arrays;
}

}  // namespace attest::apply
