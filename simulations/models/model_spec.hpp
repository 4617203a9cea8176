// What a model is, as data: what an experiment's file says and a checkpoint belongs to. No LibTorch here.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernels/attention/mechanism/mechanism.hpp"
#include "simulations/models/model_kind.hpp"

namespace attest::models {

using attention::Index;

/// One layer's attention: a mechanism of the attention library by name.
struct AttentionSpec {
  std::string mechanism = "softmax";
  attention::Settings settings;
  std::vector<std::string> learned;      ///< optional inputs that become parameters, such as h_p2
  std::map<std::string, Index> extents;  ///< of letters that no other input fixes, such as s of a kernel
  /// linformer, nystromformer: bilateral logits (boosting paper, Eq 3.10) for a mechanism that has none, by queries and
  /// keys that are tokens and positions side by side.
  bool position_term = false;

  bool operator==(const AttentionSpec&) const = default;
};

/// What is added to one layer's attention: Y_l, t Y_source, or t Y_0 + (1 - t) Y_l ("Revisiting Transformers with
/// Insights from Image Filtering and Boosting", Eq 4.5, Definition 4.1, Eq 4.3). Y_0 is the input of the first layer.
struct ResidualSpec {
  enum class Kind { standard, generalised, boosting } kind = Kind::standard;
  double t = 1;          ///< or where a learnable t starts
  bool learned = false;  ///< t is a parameter of the layer
  Index source = 0;      ///< generalised: which state is added, at most the layer's own number

  bool operator==(const ResidualSpec&) const = default;
};

/// A mixture of experts in place of the layer after attention (models/switch_layer.hpp).
struct ExpertSpec {
  Index count = 0;  ///< experts; 0: the usual layer
  /// Tokens that an expert takes in training, in shares of tokens / count: of a batch, or of each sequence of language.
  double capacity = 1.25;
  double evaluation_capacity = 2;  ///< the same where nothing is learned
  double balance = 0.01;           ///< weight of the load-balancing loss

  bool operator==(const ExpertSpec&) const = default;
};

struct LayerSpec {
  AttentionSpec attention;
  ResidualSpec residual;
  ExpertSpec experts = {};

  bool operator==(const LayerSpec&) const = default;
};

/// A pre-norm transformer. What it reads and gives is its kind.
struct ModelSpec {
  using Kind = ModelKind;
  Kind kind = Kind::language;
  enum class Positions { learned, sinusoidal, none } positions = Positions::learned;
  /// What the classifier reads: a token of its own, the mean of the tokens that are there, or all of them side by side
  /// (zero where there is none).
  enum class Pool { class_token, mean, flatten } pool = Pool::class_token;
  /// Weight of the positions that are added to tokens. Absent: 1, or 0 where every layer has them in its logits.
  std::optional<double> added_positions = {};
  Index width = 128;        ///< channels of a token
  Index heads = 4;          ///< divides width
  Index feedforward = 512;  ///< hidden channels of the layer after attention
  Index patch = 7;          ///< vision: side of a square patch, divides the image's sides
  Index context = 64;       ///< language: tokens of a sequence
  double dropout = 0;       ///< of attention weights, sub-layers' outputs, the embedding and what the classifier reads
  double stochastic_depth = 0;  ///< share of sequences that skip a sub-layer of the last layer; rising linearly from 0
  /// layer: before the sub-layers (pre-norm). batch: batch normalisation after them and GELU after the last layer, as
  /// Zerveas et al. 2021 have it for time series; statistics of evaluations are means over training steps, moving by
  /// 0.1.
  enum class Norm { layer, batch } norm = Norm::layer;
  /// vision: queries, keys and values are projected from tokens after a depthwise convolution of 3 x 3 patches with
  /// batch normalisation (CvT, Wu et al. 2021; one stage, stride 1).
  bool convolved = false;
  bool channel_attention = false;  ///< vision: FAN's, see models/channel_attention.hpp
  double deviation = 0.02;         ///< standard deviation of weights at the start, as GPT-2 and DeiT have it
  std::vector<LayerSpec> layers;

  bool operator==(const ModelSpec&) const = default;
};

/// What a model reads and gives; known once the data are.
struct ModelShape {
  Index classes = 0;                          ///< language: the vocabulary, which is also what it reads; regression: 1
  Index rows = 0, columns = 0, channels = 1;  ///< vision, segmentation
  Index vocabulary = 0;                       ///< sequence, pairs: tokens that it tells apart
  Index tokens = 0;                           ///< sequence, pairs, series: tokens of the longest example
  Index dimensions = 0;                       ///< series: values of a step
  bool unequal = false;                       ///< sequence, pairs, series: examples differ in length
  bool regression = false;                    ///< series: one number instead of classes
  /// sequence, series: an answer for every token, not one for the example; there is no class token then.
  bool per_token = false;

  bool operator==(const ModelShape&) const = default;
};

/// Whether any layer is a mixture of experts.
inline bool has_experts(const ModelSpec& spec) {
  for (const LayerSpec& layer : spec.layers)
    if (layer.experts.count > 0) return true;
  return false;
}

/// Tokens that a model tells apart where it reads tokens: of language, what it gives is what it reads.
inline Index vocabulary_of(const ModelSpec& spec, const ModelShape& shape) {
  return traits_of(spec.kind).causal() ? shape.classes : shape.vocabulary;
}

/// Whether a token of its own gathers what the classifier reads, unless every token is answered.
inline bool asks_class_token(const ModelSpec& spec) {
  return !traits_of(spec.kind).causal() && spec.pool == ModelSpec::Pool::class_token;
}

}  // namespace attest::models
