#include "simulations/models/parameters.hpp"

#include <cmath>
#include <numeric>
#include <stdexcept>

#include <fmt/format.h>

#include "kernels/random/stream.hpp"

namespace attest::models {
namespace {

/// Kernels are [H][s] or [H][s][s]; the middle of each head's is entry (s - 1) / 2 of every axis after the first.
std::size_t middle_of(const std::vector<std::int64_t>& shape) {
  std::int64_t at = 0;
  for (std::size_t axis = 1; axis < shape.size(); ++axis) at = at * shape[axis] + (shape[axis] - 1) / 2;
  return static_cast<std::size_t>(at);
}

}  // namespace

std::int64_t ParameterSpec::entries() const {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

std::vector<float> initial_values(const ParameterSpec& parameter, std::uint64_t seed) {
  const Initial& initial = parameter.initial;
  const auto size = static_cast<std::size_t>(parameter.entries());
  const auto scale = static_cast<float>(initial.scale);
  std::vector<float> values(size, initial.law == Initial::Law::constant ? scale : 0.0F);
  random::Stream stream(seed, random::stream_key("training/parameter/" + parameter.name), 0);
  if (initial.law == Initial::Law::normal)
    for (float& value : values) value = static_cast<float>(initial.scale * stream.normal());
  if (initial.law == Initial::Law::uniform)
    for (float& value : values) value = static_cast<float>(stream.uniform(-initial.scale, initial.scale));
  if (initial.law == Initial::Law::middle) {
    const std::size_t kernel = size / static_cast<std::size_t>(parameter.shape.front());
    for (std::size_t at = middle_of(parameter.shape); at < size; at += kernel) values[at] = scale;
  }
  return values;
}

Initial initial_of(const attention::InputSpec& input, std::int64_t dim, const std::vector<std::int64_t>& shape) {
  using Law = attention::Initialisation::Law;
  const attention::Initialisation& start = input.initialisation;
  switch (start.law) {
    case Law::constant:
      return {Initial::Law::constant, start.value};
    case Law::power_of_dim:
      return {Initial::Law::constant, start.value == 0.5 ? std::sqrt(static_cast<double>(dim))
                                                         : std::pow(static_cast<double>(dim), start.value)};
    case Law::centre:
      return {Initial::Law::middle, 1};
    case Law::uniform:
      return {Initial::Law::uniform, 1 / std::sqrt(static_cast<double>(shape.back()))};
    case Law::projection:
    case Law::none:
      break;
  }
  throw std::invalid_argument(fmt::format("training cannot learn the input {}: how it starts is not known ({})",
                                          input.name,
                                          start.law == Law::none ? "it is data" : attention::in_words(start)));
}

}  // namespace attest::models
