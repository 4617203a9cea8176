#include "simulations/experiment/read_variant.hpp"

#include <algorithm>
#include <variant>

#include <fmt/format.h>

#include "simulations/models/model_words.hpp"
#include "simulations/models/presets.hpp"

namespace attest::experiment {

using models::AttentionSpec;
using models::ExpertSpec;
using models::LayerSpec;
using models::meaning_of;
using models::model_kind_words;
using models::preset_model;
using models::preset_names;
using models::residual_kinds;
using models::ResidualSpec;
using models::word_of;
using models::words_of;
namespace {

// Beyond these sizes no model was ever trained, and most could not be held.
constexpr Index most_layers = 10000, widest = Index{1} << 18U, longest_context = Index{1} << 24U;

std::string spelled(const quantities::Value& value) {
  return std::holds_alternative<double>(value) ? fmt::format("{}", std::get<double>(value))
                                               : std::get<std::string>(value);
}

AttentionSpec read_attention(spec::SpecReader& read) {
  AttentionSpec a;
  a.mechanism = read.text("attention", a.mechanism);
  try {
    attention::find_mechanism(a.mechanism);
  } catch (const std::invalid_argument& failure) {
    read.place().reject("attention", failure.what());
  }
  if (auto options = read.table("options"))
    for (const std::string& key : options->place().keys()) a.settings[key] = spelled(options->place().value(key));
  if (auto extents = read.table("extents"))
    for (const std::string& key : extents->place().keys()) a.extents[key] = extents->count(key, 0, 1);
  a.learned = read.names("learned");
  a.position_term = read.flag("position_term", false);
  return a;
}

ResidualSpec read_residual(spec::SpecReader& read) {
  using Kind = ResidualSpec::Kind;
  ResidualSpec r;
  r.kind =
      meaning_of(residual_kinds, read.choice("residual", words_of(residual_kinds), word_of(residual_kinds, r.kind)));
  r.source = read.count("source", 0, 0);
  if (!read.has("t")) {
    if (r.kind != Kind::standard) read.place().reject("residual", "give t: a number, or \"learned\"");
    return r;
  }
  if (r.kind == Kind::standard) read.place().reject("t", "the standard residual has no t; leave it out");
  const quantities::Value t = read.place().value("t");
  if (const double* number = std::get_if<double>(&t)) {
    r.t = *number;
  } else if (std::get<std::string>(t) == "learned") {
    r.learned = true;
    r.t = r.kind == Kind::boosting ? 0 : 1;  // both are the standard residual at first
  } else {
    read.place().reject("t", "t is neither a number nor \"learned\"");
  }
  return r;
}

ModelSpec::Kind read_kind(spec::SpecReader& read) {
  return meaning_of(model_kind_words,
                    read.choice("kind", words_of(model_kind_words), word_of(model_kind_words, ModelSpec{}.kind)));
}

ModelSpec::Positions read_positions(spec::SpecReader& read, ModelSpec::Positions fallback) {
  using Positions = ModelSpec::Positions;
  if (!read.has("positions")) return fallback;
  const std::string positions = read.choice("positions", {"learned", "sinusoidal", "none"}, "learned");
  return positions == "none" ? Positions::none : positions == "sinusoidal" ? Positions::sinusoidal : Positions::learned;
}

std::optional<double> read_added_positions(spec::SpecReader& read, std::optional<double> fallback) {
  if (!read.has("added_positions")) return fallback;
  return read.number("added_positions", 1, 0, 100);
}

void read_backbone(spec::SpecReader& read, ModelSpec& m) {
  if (read.has("normalisation"))
    m.norm = read.choice("normalisation", {"layer", "batch"}, "layer") == "batch" ? ModelSpec::Norm::batch
                                                                                  : ModelSpec::Norm::layer;
  if (!read.has("backbone")) return;
  const std::string backbone = read.choice("backbone", {"vit", "fan", "cvt"}, "vit");
  m.channel_attention = backbone == "fan";
  m.convolved = backbone == "cvt";
}

/// Experts in every layer, or in those of expert_layers.
void read_experts(spec::SpecReader& read, ModelSpec& m) {
  ExpertSpec e;
  e.count = read.count("experts", 0, 2, most_layers);
  e.capacity = read.number("capacity", e.capacity, 0.01, 100);
  e.evaluation_capacity = read.number("evaluation_capacity", e.evaluation_capacity, 0.01, 100);
  e.balance = read.number("balance", e.balance, 0, 100);
  const std::vector<Index> chosen = read.indices("expert_layers");
  const auto layers = static_cast<Index>(m.layers.size());
  for (const Index layer : chosen)
    if (layer >= layers)
      read.place().reject("expert_layers", fmt::format("layer {} is none of 0 .. {}", layer, layers - 1));
  if (e.count == 0) {
    for (const char* key : {"capacity", "evaluation_capacity", "balance", "expert_layers"})
      if (read.has(key)) read.place().reject(key, fmt::format("{} is of experts: give experts = 4 too", key));
    return;
  }
  for (Index l = 0; l < layers; ++l)
    if (chosen.empty() || std::count(chosen.begin(), chosen.end(), l) > 0)
      m.layers[static_cast<std::size_t>(l)].experts = e;
}

ModelSpec read_model(spec::SpecReader read) {
  ModelSpec m;
  if (read.has("preset")) {
    const std::string preset = read.choice("preset", preset_names(), "");
    m = *preset_model(preset);
  }
  if (read.has("kind") || !read.has("preset")) m.kind = read_kind(read);
  m.positions = read_positions(read, m.positions);
  m.added_positions = read_added_positions(read, m.added_positions);
  if (read.has("pool")) {
    const std::string pool = read.choice("pool", {"class_token", "mean", "flatten"}, "class_token");
    m.pool = pool == "mean"      ? ModelSpec::Pool::mean
             : pool == "flatten" ? ModelSpec::Pool::flatten
                                 : ModelSpec::Pool::class_token;
  }
  read_backbone(read, m);
  const bool resized = read.has("width");
  m.width = read.count("width", m.width, 1, widest);
  m.heads = read.count("heads", m.heads, 1, widest);
  m.feedforward =
      read.count("feedforward", resized || !read.has("preset") ? 4 * m.width : m.feedforward, 1, 4 * widest);
  m.patch = read.count("patch", m.patch, 1, widest);
  m.context = read.count("context", m.context, 1, longest_context);
  m.dropout = read.number("dropout", m.dropout, 0, 0.99);
  m.stochastic_depth = read.number("stochastic_depth", m.stochastic_depth, 0, 0.99);
  m.deviation = read.number("deviation", m.deviation, 1e-9, 10);
  const auto usual_layers = m.layers.empty() ? Index{4} : static_cast<Index>(m.layers.size());
  m.layers.resize(static_cast<std::size_t>(read.count("layers", usual_layers, 1, most_layers)));
  read_experts(read, m);
  if (m.width % m.heads != 0)
    read.place().reject("heads", fmt::format("{} heads do not divide the width {}", m.heads, m.width));
  read.done();
  return m;
}

VariantSpec read_variant(spec::SpecReader& read, const ModelSpec& model) {
  VariantSpec variant{read.text("name", ""), model};
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-_.";
  if (variant.name.empty() || variant.name.find_first_not_of(letters) != std::string::npos)
    read.place().reject("name", "a variant's name names files: give one of letters, digits and + - _ .");
  variant.model.positions = read_positions(read, model.positions);
  variant.model.added_positions = read_added_positions(read, model.added_positions);
  variant.seed_offset = static_cast<std::uint64_t>(read.count("seed_offset", 0, 0));
  const LayerSpec changed{read_attention(read), read_residual(read)};
  const auto layers = static_cast<Index>(model.layers.size());
  std::vector<Index> attention_layers = read.indices("attention_layers");
  if (read.has("last_layers")) {
    const Index last = read.count("last_layers", 0, 1);
    if (!attention_layers.empty() || last > layers)
      read.place().reject("last_layers",
                          fmt::format("give last_layers of 1 to {} or attention_layers, not both", layers));
    for (Index l = layers - last; l < layers; ++l) attention_layers.push_back(l);
  }
  for (const Index layer : attention_layers)
    if (layer >= layers)
      read.place().reject("attention_layers", fmt::format("layer {} is none of 0 .. {}", layer, layers - 1));
  for (Index l = 0; l < layers; ++l) {
    LayerSpec& layer = variant.model.layers[static_cast<std::size_t>(l)];
    layer.residual = changed.residual;
    if (attention_layers.empty() || std::count(attention_layers.begin(), attention_layers.end(), l) > 0)
      layer.attention = changed.attention;
  }
  read.done();
  return variant;
}

}  // namespace

std::vector<VariantSpec> read_variants(spec::SpecReader& root) {
  const ModelSpec model = read_model(root.required_table("model"));
  std::vector<VariantSpec> variants;
  for (spec::SpecReader& read : root.tables("variant")) {
    VariantSpec variant = read_variant(read, model);
    for (const VariantSpec& other : variants)
      if (other.name == variant.name)
        read.place().reject("name", fmt::format("two variants are called {}", variant.name));
    variants.push_back(std::move(variant));
  }
  return variants;
}

}  // namespace attest::experiment
