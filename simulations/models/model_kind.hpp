// The kinds of models: one row of a table holds all that sets a kind apart, and nobody else compares kinds.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace attest::models {

/// language: a decoder in the manner of GPT that predicts each next token; vision: patches of an image, one class;
/// sequence: tokens of a text, or an image's pixels one by one, one class (the Long Range Arena's encoder);
/// series: steps of a multivariate time series, one class or one number; segmentation: patches of an image, a class for
/// each pixel, by one linear map of each patch's token and linear interpolation between patches (the linear decoder of
/// Strudel et al. 2021, Segmenter); pairs: two texts through one encoder, one class of both (the Long Range Arena's
/// Retrieval).
enum class ModelKind : std::uint8_t { language, vision, sequence, series, segmentation, pairs };

/// What becomes a token.
enum class Reads : std::uint8_t {
  tokens,   ///< entries of a vocabulary: words, characters, pixels one by one
  patches,  ///< squares of an image
  steps     ///< vectors of numbers
};

/// What is asked for. Skills ask for an answer at every token instead (ModelShape::per_token).
enum class Answers : std::uint8_t {
  next_token,  ///< at every token the one that follows, out of the vocabulary that is read; causal attention
  example,     ///< one class or number
  pixels       ///< a class for every pixel
};

/// What is measured beside the loss and, except for regressions, the accuracy.
enum class Measures : std::uint8_t { top5, perplexity, overlap };

/// The row of a kind.
struct ModelTraits {
  ModelKind kind;
  std::string_view word;  ///< in files
  Reads reads = Reads::tokens;
  Answers answers = Answers::example;
  Measures measures = Measures::top5;
  std::int64_t texts = 1;  ///< sequences of one example that go through the model, and are compared where there are two

  /// Whether no answer may depend on later tokens.
  constexpr bool causal() const { return answers == Answers::next_token; }
  /// Whether a whole image has one class: what attacks, corruptions and maps of attention are made for.
  constexpr bool classifies_images() const { return reads == Reads::patches && answers == Answers::example; }
  /// Whether an example is one text, of which words can be swapped.
  constexpr bool reads_one_text() const { return reads == Reads::tokens && texts == 1; }
};

/// In the order in which choices are listed.
inline constexpr auto model_kinds = std::to_array<ModelTraits>({
    {.kind = ModelKind::language, .word = "language", .answers = Answers::next_token, .measures = Measures::perplexity},
    {.kind = ModelKind::vision, .word = "vision", .reads = Reads::patches},
    {.kind = ModelKind::sequence, .word = "sequence"},
    {.kind = ModelKind::series, .word = "series", .reads = Reads::steps},
    {.kind = ModelKind::segmentation,
     .word = "segmentation",
     .reads = Reads::patches,
     .answers = Answers::pixels,
     .measures = Measures::overlap},
    {.kind = ModelKind::pairs, .word = "pairs", .texts = 2},
});

/// The row of a kind.
constexpr const ModelTraits& traits_of(ModelKind kind) {
  return *std::find_if(model_kinds.begin(), model_kinds.end(),
                       [&](const ModelTraits& row) { return row.kind == kind; });
}

}  // namespace attest::models
