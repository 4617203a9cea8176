// What sets the kinds of models apart, as data: one row per kind.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "simulations/models/model_spec.hpp"

namespace attest::training {

/// What becomes a token.
enum class Reads : std::uint8_t {
  tokens,   ///< entries of a vocabulary: words, characters, pixels one by one
  patches,  ///< squares of an image
  steps     ///< vectors of numbers
};

/// What is asked for. Skills ask for an answer at every token instead (ModelShape::per_token).
enum class Answers : std::uint8_t {
  next_token,  ///< at every token the one that follows, out of the vocabulary
  example,     ///< one class or number
  pixels       ///< a class for every pixel
};

/// What is measured beside the loss and, but for regressions, the accuracy.
enum class Measures : std::uint8_t { top5, perplexity, overlap };

/// A kind of model.
struct ModelKind {
  ModelSpec::Kind kind;
  std::string_view word;  ///< in files
  Reads reads = Reads::tokens;
  Answers answers = Answers::example;
  Measures measures = Measures::top5;
  Index texts = 1;  ///< sequences of one example that go through the model, and are compared where there are two
};

/// In the order in which choices are listed.
inline constexpr auto model_kinds = std::to_array<ModelKind>({
    {.kind = ModelSpec::Kind::language,
     .word = "language",
     .answers = Answers::next_token,
     .measures = Measures::perplexity},
    {.kind = ModelSpec::Kind::vision, .word = "vision", .reads = Reads::patches},
    {.kind = ModelSpec::Kind::sequence, .word = "sequence"},
    {.kind = ModelSpec::Kind::series, .word = "series", .reads = Reads::steps},
    {.kind = ModelSpec::Kind::segmentation,
     .word = "segmentation",
     .reads = Reads::patches,
     .answers = Answers::pixels,
     .measures = Measures::overlap},
    {.kind = ModelSpec::Kind::pairs, .word = "pairs", .texts = 2},
});

/// The row of a kind.
constexpr const ModelKind& kind_of(ModelSpec::Kind kind) {
  return *std::find_if(model_kinds.begin(), model_kinds.end(), [&](const ModelKind& row) { return row.kind == kind; });
}

}  // namespace attest::training
