#include "simulations/checkpoints/start_weights.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "kernels/files/whole_file.hpp"
#include "simulations/arrays/array_file.hpp"
#include "simulations/arrays/safetensors.hpp"

namespace attest::checkpoints {

StartWeights start_weights(const std::filesystem::path& file, const std::vector<ParameterSpec>& parameters,
                           Values initial) {
  const arrays::NamedArrays arrays = arrays::parse_safetensors(files::read_whole(file), file.string());
  StartWeights start{std::move(initial), {}};
  bool layers = false;
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    const ParameterSpec& parameter = parameters[p];
    const auto found = arrays.find(parameter.name);
    const bool positions = parameter.name == "positions" && found != arrays.end() && found->second.shape.size() == 2 &&
                           found->second.shape[1] == parameter.shape[1];
    if (found == arrays.end() || (found->second.shape != parameter.shape && !positions)) {
      start.fresh.push_back(parameter.name);
      continue;
    }
    const std::vector<float> values = arrays::floating_values<float>(found->second);
    std::copy_n(values.begin(), std::min(values.size(), start.values[p].size()), start.values[p].begin());
    layers = layers || parameter.name.starts_with("layer ");
  }
  if (!layers)
    throw std::invalid_argument(
        fmt::format("training.start: {} has no layer of the model's shape; give [model] the layers, width and "
                    "feedforward of the model that it holds",
                    file.string()));
  return start;
}

}  // namespace attest::checkpoints
