#include "tests/kernels/attention/mechanisms/mechanism_calls.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

namespace attest::attention {

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
    if (!input.also.empty()) {
      other.left_out.clear();
      other.other_shapes = {input.name};
      all.push_back(other);
    }
  }
  if (std::any_of(mechanism.inputs.begin(), mechanism.inputs.end(),
                  [](const InputSpec& input) { return input.shape.find("[N_q]") != std::string::npos; })) {
    all.push_back(defaults);
    all.back().fewer_queries = true;
  }
  return all;
}

template <typename T>
Call<T> call_of(const Mechanism& mechanism, const Variant& variant) {
  Mechanism described;
  described.inputs = mechanism.inputs;
  for (InputSpec& input : described.inputs)
    if (std::find(variant.other_shapes.begin(), variant.other_shapes.end(), input.name) != variant.other_shapes.end())
      input.shape = input.also;
  Letters letters = example_letters();
  for (const char* letter : {"N", "N_q", "N_k"}) letters[letter] = variant.tokens;
  if (variant.fewer_queries) letters["N_q"] = 7;
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
    if (letters_of(input.shape).size() != array->second.shape().size()) input.shape = input.also;
    present.push_back(std::move(input));
  }
  return present;
}

bool is_causal(const Variant& variant) {
  const auto causal = variant.settings.find("causal");
  return causal != variant.settings.end() && causal->second == "true";
}

std::vector<std::string> letters_of(const std::string& shape) {
  std::vector<std::string> letters;
  for (std::size_t open = shape.find('['); open != std::string::npos; open = shape.find('[', open + 1)) {
    const std::string letter = shape.substr(open + 1, shape.find(']', open) - open - 1);
    if (!letter.empty()) letters.push_back(letter);  // "[]" is one number
  }
  return letters;
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
  for (const std::string& input : variant.other_shapes) text += ", the other shape of " + input;
  if (variant.fewer_queries) text += ", fewer queries than keys";
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
