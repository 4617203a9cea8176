#include "simulations/apply/apply_mechanism.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "kernels/attention/mechanism/example_call.hpp"
#include "kernels/statistics/compensated_sum.hpp"
#include "simulations/apply/call_from_arrays.hpp"

namespace attest::simulations {
namespace {

constexpr const char* weights_name = "R";

template <typename T>
attention::Tensor<T> output_weights(const NamedArrays& arrays, const attention::Tensor<T>& out) {
  const auto found = arrays.find(weights_name);
  if (found == arrays.end())
    throw std::invalid_argument(
        fmt::format("--grad needs the array R of the output's shape {} in the input", shape_text(out.shape())));
  attention::Tensor<T> weights = tensor_from<T>(weights_name, found->second);
  if (weights.shape() != out.shape())
    throw std::invalid_argument(fmt::format("R has the shape {} where the output has {}", shape_text(weights.shape()),
                                            shape_text(out.shape())));
  for (const T weight : weights.values())
    if (!std::isfinite(weight)) throw std::invalid_argument(fmt::format("R holds {}; give finite numbers", weight));
  return weights;
}

template <typename T>
Array array_from(const attention::Tensor<T>& tensor) {
  return floating_array<T>(tensor.shape(), tensor.values());
}

template <typename T>
NamedArrays applied(const attention::Mechanism& mechanism, const NamedArrays& arrays, const ApplyPlan& plan) {
  attention::Call<T> call = call_from_arrays<T>(arrays, plan.settings);
  call.threads = plan.threads;
  call.device = plan.device;
  const attention::Evaluation<T> evaluation = attention::evaluate(mechanism, call);
  NamedArrays results;
  results["out"] = array_from(evaluation.out);
  if (!plan.gradients) return results;

  const attention::Tensor<T> weights = output_weights(arrays, evaluation.out);
  statistics::CompensatedSum sum;
  for (std::size_t i = 0; i < weights.values().size(); ++i)
    sum.add(static_cast<double>(evaluation.out.values()[i]) * static_cast<double>(weights.values()[i]));
  const T loss = static_cast<T>(sum.value());
  results["loss"] = floating_array<T>({}, {&loss, 1});
  for (const auto& [name, gradient] : evaluation.backward(weights)) results["grad." + name] = array_from(gradient);
  return results;
}

}  // namespace

NamedArrays apply_mechanism(const attention::Mechanism& mechanism, const NamedArrays& arrays, const ApplyPlan& plan) {
  switch (plan.type) {
    case ElementType::float64:
      return applied<double>(mechanism, arrays, plan);
    case ElementType::float32:
      return applied<float>(mechanism, arrays, plan);
    default:
      throw std::invalid_argument(
          fmt::format("mechanisms are evaluated in float64 or float32, not in {}", name(plan.type)));
  }
}

NamedArrays example_arrays(const attention::Mechanism& mechanism, const attention::Settings& settings) {
  constexpr std::uint64_t seed = 1;
  attention::Call<double> call = attention::example_call<double>(mechanism, settings, seed);
  NamedArrays arrays;
  for (const auto& [name, tensor] : call.inputs) arrays[name] = array_from(tensor);
  const attention::Shape shape = attention::evaluate(mechanism, call).out.shape();
  arrays[weights_name] = array_from(attention::example_array<double>(shape, weights_name, seed));
  return arrays;
}

}  // namespace attest::simulations
