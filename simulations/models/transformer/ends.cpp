// The two ends of a Transformer: how a kind of model reads its examples, and how it answers, each with its parameters.
#include <cmath>
#include <stdexcept>

#include "simulations/models/transformer/evaluation.hpp"
#include "simulations/models/transformer/transformer.hpp"

namespace attest::models {

using at::Tensor;

namespace {

/// [B][channel][row][column] to [B][patch][channel row column].
Tensor patches_of(const Tensor& images, Index side) {
  const Index rows = images.size(2) / side, columns = images.size(3) / side;
  return images.view({images.size(0), images.size(1), rows, side, columns, side})
      .permute({0, 2, 4, 1, 3, 5})
      .reshape({images.size(0), rows * columns, images.size(1) * side * side});
}

}  // namespace

void Transformer::add_inputs() {
  const Index class_tokens = has_class_token_ ? 1 : 0;
  const auto add_projection = [&](const std::string& name, Index numbers) {
    inputs_ = add_linear(name, spec_.width, numbers, 1 / std::sqrt(static_cast<double>(numbers)));
  };
  switch (traits_of(spec_.kind).reads) {
    case Reads::tokens:
      tokens_ = traits_of(spec_.kind).causal() ? spec_.context : shape_.tokens + class_tokens;
      embedding_ =
          add("embedding", {vocabulary_of(spec_, shape_), spec_.width}, {Initial::Law::normal, spec_.deviation});
      break;
    case Reads::patches:
      tokens_ = (shape_.rows / spec_.patch) * (shape_.columns / spec_.patch) + class_tokens;
      add_projection("patches", shape_.channels * spec_.patch * spec_.patch);
      break;
    case Reads::steps:
      tokens_ = shape_.tokens + class_tokens;
      add_projection("steps", shape_.dimensions);
      break;
  }
}

Tensor Transformer::tokens_of(const Evaluation& run, const Tensor& input) const {
  const ModelTraits& kind = traits_of(spec_.kind);
  switch (kind.reads) {
    case Reads::patches:
      return run.widened(run.linear(inputs_, patches_of(input, spec_.patch)));
    case Reads::steps:
      return run.widened(run.linear(inputs_, input));
    case Reads::tokens:
      break;
  }
  return at::embedding(run[embedding_], kind.texts > 1 ? input.reshape({-1, input.size(2)}) : input);
}

void Transformer::add_head() {
  const ModelTraits& kind = traits_of(spec_.kind);
  const bool compares = kind.texts > 1, flat = spec_.pool == ModelSpec::Pool::flatten && !shape_.per_token;
  if (flat && (compares || kind.answers == Answers::pixels))
    throw std::invalid_argument("pool = \"flatten\" is for one class of one input; use \"mean\" or \"class_token\"");
  if (compares)
    joined_ =
        add_linear("joined", spec_.feedforward, 4 * spec_.width, 1 / std::sqrt(4.0 * static_cast<double>(spec_.width)));
  fixed_length_ = fixed_length_ || flat;
  // The next token is scored by the embedding.
  if (kind.answers == Answers::next_token) return;
  const Index read = flat ? tokens_ * spec_.width : compares ? spec_.feedforward : spec_.width;
  classifier_ =
      add_linear("classifier", shape_.classes, read, flat ? 1 / std::sqrt(static_cast<double>(read)) : spec_.deviation);
}

Tensor Transformer::pooled(const Evaluation& run, const Tensor& x) const {
  if (has_class_token_) return x.select(1, 0);
  if (run.lengths.empty()) return spec_.pool == ModelSpec::Pool::mean ? x.mean(1) : x.flatten(1);
  const Tensor there = run.present(x).to(x.scalar_type()).unsqueeze(2);
  if (spec_.pool == ModelSpec::Pool::flatten) return (x * there).flatten(1);
  // A sequence without tokens has the mean 0.
  return (x * there).sum(1) / there.sum(1).clamp_min(1);
}

/// The patches' scores, [B][classes][patch row][patch column], interpolated between the patches' middles.
Tensor Transformer::pixel_scores(const Evaluation& run, const Tensor& x) const {
  const Index rows = shape_.rows / spec_.patch, columns = shape_.columns / spec_.patch;
  const Tensor patches = has_class_token_ ? x.narrow(1, 1, rows * columns) : x;
  const Tensor coarse = run.widened(run.linear(classifier_, run.dropped(patches, spec_.dropout)))
                            .transpose(1, 2)
                            .reshape({x.size(0), shape_.classes, rows, columns});
  return at::upsample_bilinear2d(coarse, {shape_.rows, shape_.columns}, false)
      .permute({0, 2, 3, 1})
      .reshape({-1, shape_.classes});
}

/// relu(W (a, b, a b, a - b) + c) of the two texts' pooled tokens a and b.
Tensor Transformer::pair_features(const Evaluation& run, const Tensor& x) const {
  const Tensor both = pooled(run, x).view({-1, 2, spec_.width});
  const Tensor a = both.select(1, 0), b = both.select(1, 1);
  return at::relu(run.widened(run.linear(joined_, at::cat({a, b, a * b, a - b}, 1))));
}

/// What the classifier reads of an example, or of each token.
Tensor Transformer::features(const Evaluation& run, const Tensor& x) const {
  if (traits_of(spec_.kind).texts > 1) return pair_features(run, x);
  return shape_.per_token ? x.reshape({-1, spec_.width}) : pooled(run, x);
}

Tensor Transformer::scores_of(const Evaluation& run, const Tensor& x) const {
  switch (traits_of(spec_.kind).answers) {
    case Answers::next_token:
      return at::linear(run.narrowed(x.reshape({-1, spec_.width})), run.rounded(embedding_));
    case Answers::pixels:
      return pixel_scores(run, x);
    case Answers::example:
      break;
  }
  return run.linear(classifier_, run.dropped(features(run, x), spec_.dropout));
}

}  // namespace attest::models
