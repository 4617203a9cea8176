// What a model is, as data: what an experiment's file says and a checkpoint belongs to. No LibTorch here.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "kernels/attention/mechanism.hpp"

namespace attest::training {

using attention::Index;

/// One layer's attention: a mechanism of the attention library by name.
struct AttentionSpec {
  std::string mechanism = "softmax";
  attention::Settings settings;
  std::vector<std::string> learned;      ///< optional inputs that become parameters, such as h_p2
  std::map<std::string, Index> extents;  ///< of letters that no other input fixes, such as s of a kernel

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

struct LayerSpec {
  AttentionSpec attention;
  ResidualSpec residual;

  bool operator==(const LayerSpec&) const = default;
};

/// A pre-norm transformer: a decoder language model in the manner of GPT, or a vision transformer.
struct ModelSpec {
  enum class Kind { language, vision } kind = Kind::language;
  enum class Positions { learned, sinusoidal } positions = Positions::learned;
  enum class Pool { class_token, mean } pool = Pool::class_token;  ///< vision: what the classifier reads
  Index width = 128;                                               ///< channels of a token
  Index heads = 4;                                                 ///< divides width
  Index feedforward = 512;                                         ///< hidden channels of the layer behind attention
  Index patch = 7;          ///< vision: side of a square patch, divides the image's sides
  Index context = 64;       ///< language: tokens of a sequence
  double dropout = 0;       ///< of attention weights, of sub-layers' outputs and of the embedding
  double deviation = 0.02;  ///< standard deviation of weights at the start, as GPT-2 and DeiT have it
  std::vector<LayerSpec> layers;

  bool operator==(const ModelSpec&) const = default;
};

/// What a model reads and how many classes it tells apart; known once the data are.
struct ModelShape {
  Index classes = 0;                          ///< language: the vocabulary, which is also what it reads
  Index rows = 0, columns = 0, channels = 1;  ///< vision
};

}  // namespace attest::training
