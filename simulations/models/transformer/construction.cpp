// Which parameters a ModelSpec has, and the checks that it can be built.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/attention/mechanism/letters.hpp"
#include "simulations/models/transformer/transformer.hpp"

namespace attest::models {
namespace {

[[noreturn]] void refuse(const std::string& sentence) { throw std::invalid_argument(sentence); }

using attention::Role;

bool takes(const attention::Mechanism& mechanism, std::string_view input) {
  return std::any_of(mechanism.inputs.begin(), mechanism.inputs.end(),
                     [&](const attention::InputSpec& spec) { return spec.name == input; });
}

bool takes(const attention::Mechanism& mechanism, Role role) {
  return std::any_of(mechanism.inputs.begin(), mechanism.inputs.end(),
                     [&](const attention::InputSpec& spec) { return spec.role == role; });
}

/// "a and b", the mechanisms that can be joined with positions.
std::string joining_mechanisms() {
  std::vector<std::string> names;
  for (const attention::Mechanism& mechanism : attention::mechanisms())
    if (mechanism.takes_joined_positions) names.push_back(mechanism.name);
  return fmt::format("{}", fmt::join(names, " and "));
}

/// Whether positions stand in the logits.
bool compares_positions(const LayerSpec& layer) {
  return layer.attention.position_term ||
         takes(attention::find_mechanism(layer.attention.mechanism), Role::position_queries);
}

}  // namespace

std::size_t Transformer::add(std::string name, std::vector<Index> shape, Initial initial) {
  parameters_.push_back({std::move(name), std::move(shape), initial});
  return parameters_.size() - 1;
}

Transformer::Affine Transformer::add_norm(const std::string& name) {
  return {add(name + ".weight", {spec_.width}, {Initial::Law::constant, 1}),
          add(name + ".bias", {spec_.width}, {Initial::Law::constant, 0})};
}

Transformer::Norm Transformer::add_sublayer_norm(const std::string& name, bool batch) {
  Norm norm{add_norm(name)};
  if (!batch) return norm;
  norm.mean = add(name + ".mean", {spec_.width}, {Initial::Law::constant, 0});
  norm.variance = add(name + ".variance", {spec_.width}, {Initial::Law::constant, 1});
  for (const std::size_t statistic : {norm.mean, norm.variance}) parameters_[statistic].statistic = true;
  return norm;
}

Transformer::Affine Transformer::add_linear(const std::string& name, Index out, Index in, double scale) {
  return {add(name + ".weight", {out, in}, {Initial::Law::normal, scale}),
          add(name + ".bias", {out}, {Initial::Law::constant, 0})};
}

std::vector<Index> Transformer::extents_of(const attention::InputSpec& input, const AttentionSpec& spec) const {
  const Index dim = spec_.width / spec_.heads;
  std::vector<Index> shape;
  for (const std::string& letter : attention::letters_of(input.shape)) {
    if (letter == "H") {
      shape.push_back(spec_.heads);
    } else if (letter == "D" || letter == "D_v") {
      shape.push_back(dim);
    } else if (letter.starts_with('N')) {
      shape.push_back(tokens_);
    } else if (const auto given = spec.extents.find(letter); given != spec.extents.end()) {
      shape.push_back(given->second);
    } else {
      refuse(fmt::format("{} learns {} of the shape {}: give {} under extents", spec.mechanism, input.name, input.shape,
                         letter));
    }
  }
  return shape;
}

void Transformer::add_extras(Layer& layer, const AttentionSpec& spec) {
  const attention::Mechanism& mechanism = *layer.attention.mechanism;
  for (const std::string& name : spec.learned)
    if (!takes(mechanism, name)) refuse(fmt::format("{} has no input {} to learn", spec.mechanism, name));
  for (const attention::InputSpec& input : mechanism.inputs) {
    const bool asked = std::find(spec.learned.begin(), spec.learned.end(), input.name) != spec.learned.end();
    if (input.role == Role::tokens) continue;
    if (input.role == Role::position_queries) {
      layer.extras.push_back({Extra::From::position_queries, input.name});
    } else if (input.role == Role::position_keys) {
      layer.extras.push_back({Extra::From::position_keys, input.name});
    } else if (input.role == Role::first_values) {
      if (!layers_.empty()) layer.extras.push_back({Extra::From::first_values, input.name});
    } else if (input.role == Role::previous_values) {
      if (!layers_.empty()) layer.extras.push_back({Extra::From::previous_values, input.name});
    } else if (input.required || asked) {
      const std::vector<Index> shape = extents_of(input, spec);
      if (input.shape.find("[N") != std::string::npos) fixed_length_ = true;
      const Initial initial = initial_of(input, spec_.width / spec_.heads, shape);
      layer.extras.push_back(
          {Extra::From::parameter, input.name, add(layer.name + ".attention." + input.name, shape, initial)});
    }
  }
}

void Transformer::add_feedforward(Layer& layer, const LayerSpec& spec, double deviation, double joining) {
  const std::string name = layer.name + ".feedforward";
  if (const Index count = spec.experts.count; count > 0) {
    ExpertLayer& experts = layer.experts;
    experts.spec = spec.experts;
    experts.router = add(name + ".router", {count, spec_.width}, {Initial::Law::normal, deviation});
    const auto one = [&](const std::string& part, Index out, Index in, double scale) {
      return Affine{add(part + ".weight", {count, out, in}, {Initial::Law::normal, scale}),
                    add(part + ".bias", {count, out}, {Initial::Law::constant, 0})};
    };
    experts.widen = one(name + ".experts.in", spec_.feedforward, spec_.width, deviation);
    experts.narrow = one(name + ".experts.out", spec_.width, spec_.feedforward, joining);
    return;
  }
  layer.widen = add_linear(name + ".in", spec_.feedforward, spec_.width, deviation);
  layer.narrow = add_linear(name + ".out", spec_.width, spec_.feedforward, joining);
  if (!spec_.channel_attention) return;
  layer.channel_queries = add_linear(name + ".channel.queries", spec_.width, spec_.width, deviation);
  layer.channel_norm = add_norm(name + ".channel.norm");
  layer.temperature = add(name + ".channel.temperature", {spec_.heads}, {Initial::Law::constant, 1});
}

Transformer::Layer Transformer::add_layer(const LayerSpec& spec, Index number) {
  Layer layer;
  layer.name = fmt::format("layer {}", number);
  layer.attention = {&attention::find_mechanism(spec.attention.mechanism), spec.attention.settings,
                     traits_of(spec_.kind).causal()};
  if (layer.attention.causal && !declares(*layer.attention.mechanism, "causal"))
    refuse(fmt::format("{} has no causal form, which a language model needs", spec.attention.mechanism));
  if (shape_.unequal && !layer.attention.mechanism->takes_key_lengths)
    refuse(fmt::format("{} takes no sequences of unequal lengths, which these data have", spec.attention.mechanism));
  layer.position_term = spec.attention.position_term;
  if (layer.position_term && !layer.attention.mechanism->takes_joined_positions)
    refuse(fmt::format("position_term is for {}, not for {}; for softmax logits the mechanism is called bilateral",
                       joining_mechanisms(), spec.attention.mechanism));
  const auto depth = static_cast<double>(std::max<std::size_t>(1, spec_.layers.size() - 1));
  layer.skip_rate = spec_.stochastic_depth * static_cast<double>(number) / depth;
  layer.residual = spec.residual;
  if (spec.residual.source < 0 || spec.residual.source > number)
    refuse(fmt::format("{}: its residual names the state {}, which comes later", layer.name, spec.residual.source));
  // Sub-layers that add to the residual start smaller, so that its size does not grow with the depth (GPT-2).
  const double deviation = spec_.deviation,
               joining = deviation / std::sqrt(2.0 * static_cast<double>(spec_.layers.size()));
  const bool batch = spec_.norm == ModelSpec::Norm::batch;
  layer.norm = add_sublayer_norm(layer.name + ".norm", batch);
  layer.project = add_linear(layer.name + ".qkv", 3 * spec_.width, spec_.width, deviation);
  layer.join = add_linear(layer.name + ".out", spec_.width, spec_.width, joining);
  if (spec_.convolved)
    for (std::size_t part = 0; part < 3; ++part) {
      const std::string name = fmt::format("{}.convolution {}", layer.name, "qkv"[part]);
      layer.kernels[part] = add(name, {spec_.width, 3, 3}, {Initial::Law::middle, 1});
      layer.convolved[part] = add_sublayer_norm(name + ".norm", true);
    }
  layer.second_norm = add_sublayer_norm(layer.name + ".feedforward.norm", batch);
  add_feedforward(layer, spec, deviation, joining);
  if (spec.residual.learned) layer.t = add(layer.name + ".residual.t", {1}, {Initial::Law::constant, spec.residual.t});
  add_extras(layer, spec.attention);
  return layer;
}

/// What only some kinds of model can have.
void Transformer::check_layout() const {
  const bool images = traits_of(spec_.kind).reads == Reads::patches;
  if (images && (shape_.rows % spec_.patch != 0 || shape_.columns % spec_.patch != 0))
    refuse(fmt::format("patches of {} pixels do not tile images of {} x {}", spec_.patch, shape_.rows, shape_.columns));
  if (spec_.norm == ModelSpec::Norm::batch && traits_of(spec_.kind).causal())
    refuse("batch normalisation shows a language model the future: leave normalisation out");
  if (!images && (spec_.convolved || spec_.channel_attention))
    refuse(fmt::format("backbone = \"{}\" is for images alone; leave it out", spec_.convolved ? "cvt" : "fan"));
  const bool experts = has_experts(spec_);
  if (experts && spec_.channel_attention) refuse("give experts or backbone = \"fan\", not both");
}

Transformer::Transformer(ModelSpec spec, ModelShape shape) : spec_(std::move(spec)), shape_(shape) {
  if (spec_.heads < 1 || spec_.width % spec_.heads != 0)
    refuse(fmt::format("{} heads do not divide the width {}", spec_.heads, spec_.width));
  if (spec_.layers.empty()) refuse("a model needs at least one layer");
  check_layout();
  has_class_token_ = asks_class_token(spec_) && !shape_.per_token;
  add_inputs();
  if (has_class_token_) class_token_ = add("class_token", {spec_.width}, {Initial::Law::normal, spec_.deviation});
  const auto& layers = spec_.layers;
  const bool in_logits = std::any_of(layers.begin(), layers.end(), compares_positions);
  if (in_logits && spec_.positions == ModelSpec::Positions::none)
    refuse("bilateral attention compares positions: give positions = \"learned\" or \"sinusoidal\"");
  if (spec_.positions == ModelSpec::Positions::learned)
    position_ = add("positions", {tokens_, spec_.width}, {Initial::Law::normal, spec_.deviation});
  for (const LayerSpec& layer : spec_.layers) layers_.push_back(add_layer(layer, static_cast<Index>(layers_.size())));
  uses_positions_ = in_logits;
  // Where every layer has positions in its logits, the tokens stay free of them unless asked for.
  const bool everywhere = std::all_of(layers.begin(), layers.end(), compares_positions);
  added_positions_ =
      spec_.positions == ModelSpec::Positions::none ? 0 : spec_.added_positions.value_or(everywhere ? 0 : 1);
  if (spec_.norm == ModelSpec::Norm::layer) final_norm_ = add_norm("norm");
  add_head();
}

}  // namespace attest::models
