// What whole layers and whole transformers cost: projections, attention, feed-forward, embeddings and heads.
#pragma once

#include <functional>
#include <vector>

#include "kernels/attention/cost/cost.hpp"

namespace attest::attention {

/// The cost of one attention, given its extents: `attend_cost`, `twicing_cost`, or any sum of parts.
using AttentionCost = std::function<Cost(const CostShape&)>;

/// y = x W^T (+ b) for `rows` rows: rows in out MACs forward and twice that backward; the bias is one flop per output
/// element each way. The outputs (and, going back, their gradients) count as held memory.
Cost linear_layer_cost(std::int64_t rows, std::int64_t in, std::int64_t out, bool bias, std::int64_t element_bytes = 4);

/// A multi-head attention sub-layer on tokens [batch][tokens][width].
struct AttentionLayer {
  std::int64_t batch = 1, tokens = 1, width = 1, heads = 1, head_dim = 1;
  bool projection_bias = true;  ///< of W_Q, W_K, W_V
  bool output_bias = true;      ///< of W_O
  /// Scaled heads: tokens are averaged by the factor of a head before its W_K and W_V (a remainder over its own count,
  /// so a head has ceil(tokens / factor) keys); each different factor pools once. Empty: all 1.
  std::vector<std::int64_t> factors = {};
  bool keeps_weights = false, causal = false;
  std::int64_t element_bytes = 4;
};

/// Pooling, W_Q, W_K, W_V, the attention of each head over its own number of keys, and W_O.
/// Errors: std::invalid_argument when `factors` is neither empty nor one positive factor per head.
Cost attention_layer_cost(const AttentionLayer& layer, const AttentionCost& attention);

/// W_2 f(W_1 x): both products with biases and one flop per entry for f; the gradient of f costs two more.
Cost feed_forward_cost(std::int64_t rows, std::int64_t width, std::int64_t hidden, std::int64_t element_bytes = 4);

/// A transformer of equal pre-norm blocks. An image model has patches and classes, a language model a vocabulary.
struct Architecture {
  std::int64_t layers = 1, tokens = 1, width = 1, heads = 1, head_dim = 1, hidden = 1;
  bool projection_bias = true, output_bias = true;
  std::int64_t patches = 0, patch_inputs = 0;  ///< patches of an image and numbers in one (channels times pixels)
  bool class_token = false;
  std::int64_t learned_positions = 0;  ///< rows of the table of learned positions; 0: sinusoidal or none
  std::int64_t classes = 0;            ///< outputs of the classifier on one token, with bias; 0: none
  std::int64_t vocabulary = 0;  ///< rows of the word embedding, shared with the output layer (with bias); 0: none
  bool final_norm = true;
};

/// DeiT-tiny at 224 x 224 with patches of 16 x 16: 12 blocks, 3 heads of 64, width 192, hidden 768, 196 patches and a
/// class token, 1000 classes.
Architecture deit_tiny();

/// Multiply-accumulates of one forward pass of one sequence, products of matrices only.
struct MacCount {
  double embedding = 0, projections = 0, attention = 0, feed_forward = 0, head = 0;
  double total() const { return embedding + projections + attention + feed_forward + head; }
};

/// `attention` has one entry for all layers or one per layer. Errors: std::invalid_argument for another number.
MacCount count_macs(const Architecture& a, const std::vector<AttentionCost>& attention);

struct ParameterCount {
  double embedding = 0, positions = 0, attention = 0, feed_forward = 0, normalisation = 0, head = 0;
  double total() const { return embedding + positions + attention + feed_forward + normalisation + head; }
};

/// Weights, biases, scales and shifts. The class token counts with the embedding; an output layer that shares the word
/// embedding adds its bias only.
ParameterCount count_parameters(const Architecture& a);

}  // namespace attest::attention
