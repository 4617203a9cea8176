#include "simulations/outcomes/layer_names.hpp"

#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace attest::training {
namespace {

using nlohmann::ordered_json;

const char* residual_name(ResidualSpec::Kind kind) {
  switch (kind) {
    case ResidualSpec::Kind::standard:
      return "standard";
    case ResidualSpec::Kind::generalised:
      return "generalised";
    case ResidualSpec::Kind::boosting:
      return "boosting";
  }
  return "";
}

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
  for (const LayerSpec& layer : model.layers) names.emplace_back(residual_name(layer.residual.kind));
  return over_layers(names);
}

}  // namespace attest::training
