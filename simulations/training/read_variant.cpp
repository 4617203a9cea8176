#include "simulations/training/read_variant.hpp"

#include <algorithm>
#include <variant>

#include <fmt/format.h>

namespace attest::training {
namespace {

std::string spelled(const quantities::Value& value) {
  return std::holds_alternative<double>(value) ? fmt::format("{}", std::get<double>(value))
                                               : std::get<std::string>(value);
}

AttentionSpec read_attention(SpecReader& read) {
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
  return a;
}

ResidualSpec read_residual(SpecReader& read) {
  using Kind = ResidualSpec::Kind;
  ResidualSpec r;
  const std::string kind = read.choice("residual", {"standard", "boosting", "generalised"}, "standard");
  r.kind = kind == "boosting" ? Kind::boosting : kind == "generalised" ? Kind::generalised : Kind::standard;
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

ModelSpec read_model(SpecReader read) {
  ModelSpec m;
  const bool vision = read.choice("kind", {"language", "vision"}, "language") == "vision";
  m.kind = vision ? ModelSpec::Kind::vision : ModelSpec::Kind::language;
  m.positions = read.choice("positions", {"learned", "sinusoidal"}, "learned") == "learned"
                    ? ModelSpec::Positions::learned
                    : ModelSpec::Positions::sinusoidal;
  m.pool = read.choice("pool", {"class_token", "mean"}, "class_token") == "mean" ? ModelSpec::Pool::mean
                                                                                 : ModelSpec::Pool::class_token;
  m.width = read.count("width", m.width, 1);
  m.heads = read.count("heads", m.heads, 1);
  m.feedforward = read.count("feedforward", 4 * m.width, 1);
  m.patch = read.count("patch", m.patch, 1);
  m.context = read.count("context", m.context, 1);
  m.dropout = read.number("dropout", 0, 0, 0.99);
  m.deviation = read.number("deviation", m.deviation, 1e-9, 10);
  m.layers.resize(static_cast<std::size_t>(std::min<Index>(read.count("layers", 4, 1), 10000)));
  if (m.width % m.heads != 0)
    read.place().reject("heads", fmt::format("{} heads do not divide the width {}", m.heads, m.width));
  read.done();
  return m;
}

VariantSpec read_variant(SpecReader& read, const ModelSpec& model) {
  VariantSpec variant{read.text("name", ""), model};
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-_.";
  if (variant.name.empty() || variant.name.find_first_not_of(letters) != std::string::npos)
    read.place().reject("name", "a variant's name names files: give one of letters, digits and + - _ .");
  const LayerSpec changed{read_attention(read), read_residual(read)};
  std::vector<Index> attention_layers = read.indices("attention_layers");
  const auto layers = static_cast<Index>(model.layers.size());
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

std::vector<VariantSpec> read_variants(SpecReader& root) {
  const ModelSpec model = read_model(root.required_table("model"));
  std::vector<VariantSpec> variants;
  for (SpecReader& read : root.tables("variant")) {
    VariantSpec variant = read_variant(read, model);
    for (const VariantSpec& other : variants)
      if (other.name == variant.name)
        read.place().reject("name", fmt::format("two variants are called {}", variant.name));
    variants.push_back(std::move(variant));
  }
  return variants;
}

}  // namespace attest::training
