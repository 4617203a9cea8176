// Calls of mechanisms cut, permuted and compared: what the properties of mechanisms are written with.
#pragma once

#include <string>
#include <vector>

#include "kernels/attention/mechanism/example_call.hpp"
#include "kernels/attention/mechanism/letters.hpp"
#include "tests/kernels/attention/mechanisms/mechanism_properties.hpp"
#include "tests/kernels/attention/random_arrays.hpp"

namespace attest::attention {

constexpr std::uint64_t example_seed = 20;

/// Output and gradients of sum(out * R), R standard normal.
template <typename T>
struct Results {
  Tensor<T> out;
  Arrays<T> gradients;
};

/// The example arrays, called as the variant says.
template <typename T>
Call<T> call_of(const Mechanism& mechanism, const Variant& variant);

/// The inputs that the call has, `shape` being the form that the array has.
template <typename T>
std::vector<InputSpec> present_inputs(const Mechanism& mechanism, const Arrays<T>& inputs);

/// R of an output of this shape.
template <typename T>
Tensor<T> output_weights(const Shape& shape) {
  return example_array<T>(shape, "R", example_seed);
}

template <typename T>
Results<T> results_of(const Mechanism& mechanism, const Call<T>& call, const Tensor<T>& weights) {
  Evaluation<T> evaluation = evaluate(mechanism, call);
  return {evaluation.out, evaluation.backward(weights)};
}
template <typename T>
Results<T> results_of(const Mechanism& mechanism, const Call<T>& call) {
  Evaluation<T> evaluation = evaluate(mechanism, call);
  return {evaluation.out, evaluation.backward(output_weights<T>(evaluation.out.shape()))};
}

/// The axes of an input that count tokens (N, N_q, N_k), in order.
std::vector<Index> token_axes(const InputSpec& input);

/// Entries 0..extent-1 of `axis` become entries chosen[0], chosen[1], ...
template <typename T>
Tensor<T> gather(const Tensor<T>& array, Index axis, const std::vector<Index>& chosen);

/// Every input with its token axes gathered.
template <typename T>
Arrays<T> gather_tokens(const Mechanism& mechanism, const Arrays<T>& inputs, const std::vector<Index>& chosen);

/// 0, 1, ..., count - 1.
std::vector<Index> first(Index count);

/// "softmax causal=true": for complaints.
std::string description(const Mechanism& mechanism, const Variant& variant);

/// Complains unless relative_error(a, b) <= tolerance.
template <typename T>
void compare(Complaints& complaints, const std::string& what, const Tensor<T>& a, const Tensor<double>& b,
             double tolerance);

}  // namespace attest::attention
