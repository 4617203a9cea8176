#include "simulations/outcomes/layer_names.hpp"

#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "simulations/models/model_words.hpp"

namespace attest::outcomes {

using models::LayerSpec;
using models::residual_kinds;
using models::word_of;
namespace {

using nlohmann::ordered_json;

/// Names over the layers; one name where all are alike.
ordered_json over_layers(const std::vector<std::string>& names) {
  const std::set<std::string> distinct(names.begin(), names.end());
  return distinct.size() == 1 ? ordered_json(names.front()) : ordered_json(names);
}

}  // namespace

ordered_json attention_names(const ModelSpec& model) {
  std::vector<std::string> names;
  for (const LayerSpec& layer : model.layers) names.push_back(layer.attention.mechanism);
  return over_layers(names);
}

ordered_json residual_names(const ModelSpec& model) {
  std::vector<std::string> names;
  for (const LayerSpec& layer : model.layers) names.push_back(word_of(residual_kinds, layer.residual.kind));
  return over_layers(names);
}

}  // namespace attest::outcomes
