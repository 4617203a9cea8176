#include "tests/kernels/attention/mechanisms/mechanism_calls.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

namespace attest::attention {

namespace {

bool has_letter(const Mechanism& mechanism, const std::string& letter) {
  return std::any_of(mechanism.inputs.begin(), mechanism.inputs.end(), [&](const InputSpec& input) {
    const std::vector<std::string> letters = letters_of(input.shape);
    return std::find(letters.begin(), letters.end(), letter) != letters.end();
  });
}

}  // namespace

std::vector<Variant> variants_of(const Mechanism& mechanism) {
  Variant defaults;
  for (const OptionSpec& option : mechanism.options)
    if (option.fallback.empty()) defaults.settings[option.name] = option.example;
  std::vector<Variant> all = {defaults};
  for (const OptionSpec& option : mechanism.options) {
    Variant other = defaults;
    other.settings[option.name] = option.example;
    if (other.settings != defaults.settings) all.push_back(other);
  }
  for (const InputSpec& input : mechanism.inputs) {
    Variant other = defaults;
    if (!input.required) {
      (input.shown ? other.left_out : other.optional_inputs) = {input.name};
      all.push_back(other);
    }
    other.left_out.clear();
    for (const std::string& shape : input.also) {
      other.other_shapes = {{input.name, shape}};
      all.push_back(other);
    }
  }
  if (has_letter(mechanism, "N_q")) {
    all.push_back(defaults);
    all.back().fewer_queries = true;
  }
  if (has_letter(mechanism, "H_kv")) {
    all.push_back(defaults);
    all.back().grouped_heads = true;
  }
  return all;
}

bool is_positional(const Mechanism& mechanism, const Variant& variant) {
  return mechanism.positional ||
         std::any_of(
             mechanism.options.begin(), mechanism.options.end(),
             [&](const OptionSpec& option) { return option.positional && variant.settings.contains(option.name); }) ||
         std::any_of(mechanism.inputs.begin(), mechanism.inputs.end(), [&](const InputSpec& input) {
           return input.positional && std::find(variant.optional_inputs.begin(), variant.optional_inputs.end(),
                                                input.name) != variant.optional_inputs.end();
         });
}

template <typename T>
Call<T> call_of(const Mechanism& mechanism, const Variant& variant) {
  Mechanism described;
  described.inputs = mechanism.inputs;
  for (InputSpec& input : described.inputs)
    if (const auto other = variant.other_shapes.find(input.name); other != variant.other_shapes.end())
      input.shape = other->second;
  Letters letters = example_letters();
  for (const char* letter : {"N", "N_q", "N_k"}) letters[letter] = variant.tokens;
  if (variant.fewer_queries) letters["N_q"] = 7;
  if (variant.grouped_heads) letters["H_kv"] = 2;
  Call<T> call = example_call<T>(described, variant.settings, example_seed, variant.optional_inputs, letters);
  for (const std::string& input : variant.left_out) call.inputs.erase(input);
  return call;
}

template <typename T>
std::vector<InputSpec> present_inputs(const Mechanism& mechanism, const Arrays<T>& inputs) {
  std::vector<InputSpec> present;
  for (InputSpec input : mechanism.inputs) {
    const auto array = inputs.find(input.name);
    if (array == inputs.end()) continue;
    input.shape = form_of(input, array->second.shape());
    present.push_back(std::move(input));
  }
  return present;
}

bool is_causal(const Variant& variant) {
  const auto causal = variant.settings.find("causal");
  return causal != variant.settings.end() && causal->second == "true";
}

std::vector<Index> token_axes(const InputSpec& input) {
  std::vector<Index> axes;
  const std::vector<std::string> letters = letters_of(input.shape);
  for (std::size_t axis = 0; axis < letters.size(); ++axis)
    if (letters[axis].front() == 'N') axes.push_back(static_cast<Index>(axis));
  return axes;
}

template <typename T>
Tensor<T> gather(const Tensor<T>& array, Index axis, const std::vector<Index>& chosen) {
  Shape shape = array.shape();
  const auto at = static_cast<std::size_t>(axis);
  const Index inner = std::accumulate(shape.begin() + axis + 1, shape.end(), Index{1}, std::multiplies<>());
  const Index outer = std::accumulate(shape.begin(), shape.begin() + axis, Index{1}, std::multiplies<>());
  const Index extent = shape[at];
  shape[at] = static_cast<Index>(chosen.size());
  std::vector<T> entries;
  for (Index o = 0; o < outer; ++o)
    for (const Index entry : chosen) {
      const T* begin = array.data() + (o * extent + entry) * inner;
      entries.insert(entries.end(), begin, begin + inner);
    }
  return {shape, std::move(entries)};
}

template <typename T>
Arrays<T> gather_tokens(const Mechanism& mechanism, const Arrays<T>& inputs, const std::vector<Index>& chosen) {
  Arrays<T> result = inputs;
  for (const InputSpec& input : present_inputs(mechanism, inputs))
    for (const Index axis : token_axes(input)) result[input.name] = gather(result[input.name], axis, chosen);
  return result;
}

std::vector<Index> first(Index count) {
  std::vector<Index> indices(static_cast<std::size_t>(count));
  std::iota(indices.begin(), indices.end(), Index{0});
  return indices;
}

std::string description(const Mechanism& mechanism, const Variant& variant) {
  std::string text = mechanism.name;
  for (const auto& [name, value] : variant.settings) text += fmt::format(" {}={}", name, value);
  for (const std::string& input : variant.optional_inputs) text += " with " + input;
  for (const std::string& input : variant.left_out) text += " without " + input;
  for (const auto& [input, shape] : variant.other_shapes) text += ", " + input + " of the shape " + shape;
  if (variant.fewer_queries) text += ", fewer queries than keys";
  if (variant.grouped_heads) text += ", fewer heads of keys";
  return text;
}

template <typename T>
void compare(Complaints& complaints, const std::string& what, const Tensor<T>& a, const Tensor<double>& b,
             double tolerance) {
  const double error = relative_error(a, b);
  if (!(error <= tolerance)) complaints.push_back(fmt::format("{}: error {:.3g} above {:.3g}", what, error, tolerance));
}

template Call<float> call_of(const Mechanism&, const Variant&);
template Call<double> call_of(const Mechanism&, const Variant&);
template std::vector<InputSpec> present_inputs(const Mechanism&, const Arrays<double>&);
template Tensor<float> gather(const Tensor<float>&, Index, const std::vector<Index>&);
template Tensor<double> gather(const Tensor<double>&, Index, const std::vector<Index>&);
template Arrays<double> gather_tokens(const Mechanism&, const Arrays<double>&, const std::vector<Index>&);
template void compare(Complaints&, const std::string&, const Tensor<float>&, const Tensor<double>&, double);
template void compare(Complaints&, const std::string&, const Tensor<double>&, const Tensor<double>&, double);

}  // namespace attest::attention
