// Properties of mechanisms that are about numbers: gradients, precision, threads.
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "tests/kernels/attention/mechanisms/mechanism_calls.hpp"

namespace attest::attention {
namespace {

/// Steps of the differences along a direction of length one, powers of two so that they are exact. The second is tried
/// where the first fails: it may have crossed a kink (of a maximum, an absolute value), and rarely both do.
constexpr double step = 0x1p-10;
constexpr double smaller_step = 0x1p-14;
/// The rule's truncation error is step^4/30 = 3e-14 times a fifth derivative, below 10^4 here (of softmax, of logits
/// that change by at most |k_j| < 6 a unit); its rounding error 1.5/step = 1500 (24 000) times that of the loss, about
/// 10^-14.
constexpr double difference_tolerance = 1e-8;

/// d/dt loss(input + t direction) at t = 0 by the central rule of order four.
double directional_difference(const Mechanism& mechanism, Call<double> call, const std::string& name,
                              const Tensor<double>& direction, const Tensor<double>& weights, double h) {
  const Tensor<double> centre = call.inputs[name];
  const auto loss = [&](double t) {
    Tensor<double>& moved = call.inputs[name];
    for (std::size_t i = 0; i < moved.values().size(); ++i)
      moved.values()[i] = centre.values()[i] + t * direction.values()[i];
    return inner_product(evaluate(mechanism, call).out, weights);
  };
  return (8 * (loss(h) - loss(-h)) - (loss(2 * h) - loss(-2 * h))) / (12 * h);
}

/// Three random directions of length one, and four axes spread over the array.
std::vector<Tensor<double>> directions(const Shape& shape) {
  std::vector<Tensor<double>> all;
  for (const char* stream : {"first", "second", "third"}) {
    all.push_back(example_array<double>(shape, stream, example_seed));
    const double length = std::sqrt(inner_product(all.back(), all.back()));
    for (double& entry : all.back().values()) entry /= length;
  }
  for (const Index quarter : {0, 1, 2, 3}) {
    all.emplace_back(shape);
    all.back().values()[static_cast<std::size_t>(quarter * (all.back().size() - 1) / 3)] = 1;
  }
  return all;
}

}  // namespace

Complaints wrong_gradients(const Mechanism& mechanism, const Variant& variant) {
  Complaints complaints;
  Call<double> call = call_of<double>(mechanism, variant);
  call.threads = 1;
  const Results<double> results = results_of(mechanism, call);
  const Tensor<double> weights = output_weights<double>(results.out.shape());
  if (results.gradients.size() != call.inputs.size())
    complaints.push_back(fmt::format("{} gradients of {} inputs", results.gradients.size(), call.inputs.size()));
  for (const auto& returned : results.gradients) {
    const std::string& name = returned.first;
    const Tensor<double>& gradient = returned.second;
    const auto input = call.inputs.find(name);
    if (input == call.inputs.end() || input->second.shape() != gradient.shape()) {
      complaints.push_back("the gradient of " + name + " does not have its input's shape");
      continue;
    }
    const double size = std::max(1.0, std::sqrt(inner_product(gradient, gradient)));
    for (const Tensor<double>& direction : directions(gradient.shape())) {
      const double claimed = inner_product(gradient, direction);
      const auto differs = [&](double h) {
        const double measured = directional_difference(mechanism, call, name, direction, weights, h);
        return !(std::abs(claimed - measured) <= difference_tolerance * size);
      };
      if (differs(step) && differs(smaller_step))
        complaints.push_back(
            fmt::format("gradient of {}: {} where differences give {}", name, claimed,
                        directional_difference(mechanism, call, name, direction, weights, smaller_step)));
    }
  }
  return complaints;
}

Complaints float_errors(const Mechanism& mechanism, const Variant& variant) {
  constexpr double tolerance = 2e-6;  // the library's promise, in units of the array's largest entry
  Complaints complaints;
  const Call<float> call = call_of<float>(mechanism, variant);
  Call<double> exact;
  exact.settings = variant.settings;
  for (const auto& [name, input] : call.inputs) exact.inputs[name] = converted<double>(input);
  const Results<float> rounded = results_of(mechanism, call);
  // R is drawn in double and rounded: both sides use the rounded one.
  const Tensor<double> weights = converted<double>(output_weights<float>(rounded.out.shape()));
  const Results<double> reference = results_of(mechanism, exact, weights);
  compare(complaints, "out in float", rounded.out, reference.out, tolerance);
  for (const auto& [name, gradient] : reference.gradients)
    compare(complaints, "gradient of " + name + " in float", rounded.gradients.at(name), gradient, tolerance);
  return complaints;
}

namespace {

/// `is_optional`: a refusal of these tokens is not a complaint.
template <typename T>
void compare_threads(Complaints& complaints, const Mechanism& mechanism, const Variant& variant, bool is_optional) {
  Call<T> call = call_of<T>(mechanism, variant);
  call.threads = 1;
  Results<T> alone;
  try {
    alone = results_of(mechanism, call);
  } catch (const std::invalid_argument&) {
    if (!is_optional) throw;
    return;
  }
  for (const unsigned threads : {2U, 7U}) {
    call.threads = threads;
    const Results<T> together = results_of(mechanism, call);
    if (together.out != alone.out || together.gradients != alone.gradients)
      complaints.push_back(fmt::format("{} threads give other bits than one in {} for {} tokens", threads,
                                       sizeof(T) == sizeof(float) ? "float" : "double", variant.tokens));
  }
}

}  // namespace

Complaints bits_that_depend_on_threads(const Mechanism& mechanism, const Variant& variant) {
  Complaints complaints;
  Variant longer = variant;
  longer.tokens = 132;  // several tiles, the last of them not full
  for (const auto& [tried, is_optional] : {std::pair(variant, false), std::pair(longer, true)}) {
    compare_threads<float>(complaints, mechanism, tried, is_optional);
    compare_threads<double>(complaints, mechanism, tried, is_optional);
  }
  return complaints;
}

Complaints errors_of_kept_inputs(const Mechanism& mechanism, const Variant& variant) {
  Call<float> call = call_of<float>(mechanism, variant);
  call.inputs_stay = true;
  const Results<float> there = results_of(mechanism, call);
  call.inputs_stay = false;
  Evaluation<float> evaluation = evaluate(mechanism, call);
  for (auto& [name, input] : call.inputs)
    std::fill(input.values().begin(), input.values().end(), std::numeric_limits<float>::quiet_NaN());
  const Arrays<float> gradients = evaluation.backward(output_weights<float>(evaluation.out.shape()));
  if (evaluation.out == there.out && gradients == there.gradients) return {};
  return {"inputs that stay give other bits than inputs that are overwritten before the way back"};
}

}  // namespace attest::attention
