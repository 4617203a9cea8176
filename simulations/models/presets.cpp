#include "simulations/models/presets.hpp"

#include <utility>

namespace attest::models {
namespace {

using Kind = ModelSpec::Kind;
using Pool = ModelSpec::Pool;

struct Sizes {
  Index layers, heads, width, feedforward;
};

ModelSpec model(Kind kind, Pool pool, const Sizes& sizes) {
  ModelSpec spec;
  spec.kind = kind;
  spec.pool = pool;
  spec.heads = sizes.heads;
  spec.width = sizes.width;
  spec.feedforward = sizes.feedforward;
  spec.layers.resize(static_cast<std::size_t>(sizes.layers));
  return spec;
}

ModelSpec decoder(const Sizes& sizes, Index context, double dropout) {
  ModelSpec spec = model(Kind::language, Pool::class_token, sizes);
  spec.context = context;
  spec.dropout = dropout;
  return spec;
}

std::vector<std::pair<std::string, ModelSpec>> build() {
  ModelSpec deit = model(Kind::vision, Pool::class_token, {12, 3, 192, 768});
  deit.patch = 16;
  deit.stochastic_depth = 0.1;
  ModelSpec mini = model(Kind::vision, Pool::class_token, {6, 4, 64, 128});
  mini.patch = 4;
  ModelSpec micro = model(Kind::vision, Pool::mean, {2, 4, 64, 128});
  micro.patch = 7;
  ModelSpec segmenter = mini;
  segmenter.kind = Kind::segmentation;
  ModelSpec segmenter_tiny = deit;
  segmenter_tiny.kind = Kind::segmentation;
  ModelSpec series = model(Kind::series, Pool::flatten, {2, 8, 128, 256});
  series.dropout = 0.1;
  return {{"wikitext-small", decoder({16, 8, 128, 2048}, 256, 0.1)},
          {"deit-tiny", deit},
          {"deit-mini", mini},
          {"deit-micro", micro},
          {"segmenter-tiny", segmenter_tiny},
          {"segmenter-mini", segmenter},
          {"lra", model(Kind::sequence, Pool::mean, {2, 2, 64, 128})},
          {"lra-pairs", model(Kind::pairs, Pool::mean, {2, 2, 64, 128})},
          {"series", series},
          {"nanogpt-cpu", decoder({4, 4, 128, 512}, 64, 0)},
          {"nanogpt", decoder({6, 6, 384, 1536}, 256, 0.2)}};
}

const std::vector<std::pair<std::string, ModelSpec>>& presets() {
  static const std::vector<std::pair<std::string, ModelSpec>> all = build();
  return all;
}

}  // namespace

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const auto& entry : presets()) names.push_back(entry.first);
  return names;
}

std::optional<ModelSpec> preset_model(std::string_view name) {
  for (const auto& [known, spec] : presets())
    if (known == name) return spec;
  return std::nullopt;
}

}  // namespace attest::models
