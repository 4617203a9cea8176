// The pre-norm transformer of a ModelSpec: language model or vision transformer.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "simulations/models/attention_bridge.hpp"
#include "simulations/models/model_spec.hpp"
#include "simulations/models/parameters.hpp"
#include "simulations/models/torch.hpp"

namespace attest::models {

/// Examples as a model reads them.
struct ModelInput {
  /// language, sequence: tokens [B][N] (int64); pairs: [B][2][N]; vision, segmentation: images
  /// [B][channel][row][column]; series: [B][N][dimension].
  at::Tensor values;
  std::vector<Index> lengths = {};  ///< [B], pairs [2 B]: tokens that are there, the first ones; empty: all
};

/// One layer of one evaluation; tensors are [B][N][C] and part of the autograd graph.
struct LayerView {
  Index number = 0;
  const at::Tensor& input;    ///< Y_l
  const at::Tensor& qkv;      ///< [B][N][3 C], packed as attend_packed takes it
  const AttentionCall& call;  ///< with ExtraInputs, what attention_matrix needs
  const std::vector<std::pair<std::string, at::Tensor>>& extra;
  const at::Tensor& mixed;     ///< the heads' outputs, before the projection that joins them
  const at::Tensor& attended;  ///< after it
  const at::Tensor& output;    ///< Y_{l+1}
};

/// What a pass leaves beside its scores.
struct PassRecord {
  at::Tensor balance;              ///< weighted sum of the expert layers' balance; undefined where there is none
  double routed = 0, dropped = 0;  ///< tokens that went to experts, and those that found none with room
  /// Parameter and value: moments of batches, where the pass is one of training.
  std::vector<std::pair<std::size_t, at::Tensor>> statistics = {};
};

/// One evaluation of a model.
struct ForwardPass {
  bool training = false;           ///< dropout acts
  std::uint64_t dropout_seed = 0;  ///< the pattern is a pure function of it
  /// Of a pass that is_recordable, with dropout_seed = 0: [1] (int64) on the device, base_of_seeds of the seed. It may
  /// change between repetitions. Undefined: 0.
  at::Tensor added_seed = {};
  bool by_operations = false;  ///< attention by attend_by_operations: for devices and types beyond the kernels'
  /// The type of matrix products and attention, such as bfloat16; everything else, the scores too, stays in the
  /// weights' type. Undefined: theirs.
  at::ScalarType products = at::ScalarType::Undefined;
  /// The weights in that type, for matrix products, where somebody keeps them so; null: each product rounds its own.
  const std::vector<at::Tensor>* rounded_weights = nullptr;
  /// Called with each sub-layer's name and output; to find where numbers go wrong. May be empty.
  std::function<void(const std::string& place, const at::Tensor& output)> probe = {};
  /// Called after each layer. May be empty.
  std::function<void(const LayerView&)> on_layer = {};
  PassRecord* record = nullptr;  ///< filled where it is given
};

/// The pattern of each place of a model is a function of base_of_seeds(dropout_seed) and a small number of its own.
constexpr std::uint64_t base_of_seeds(std::uint64_t dropout_seed) { return dropout_seed * 1000003; }

/// A model without weights: these are given to every call, in the order of `parameters`, so that several threads can
/// work with leaves of their own on the same memory.
class Transformer {
 public:
  /// Errors: std::invalid_argument in one sentence when spec and shape do not fit (heads and width, patch and image), a
  /// mechanism is unknown, has no causal form where the model needs one, or wants an input that a model cannot give.
  Transformer(ModelSpec spec, ModelShape shape);

  const ModelSpec& spec() const { return spec_; }
  const std::vector<ParameterSpec>& parameters() const { return parameters_; }
  /// Tokens of a sequence, the class token with them.
  Index tokens() const { return tokens_; }

  /// Whether every example must have `tokens` tokens, because parameters belong to them one by one.
  bool fixed_length() const { return fixed_length_; }

  /// Scores of the classes, [B][classes]; language: of the token after each, [B N][classes], N <= context;
  /// segmentation: of each pixel, [B row column][classes]. Regression: the numbers, [B][1]. Where every token is
  /// answered: [B N][classes] or [B N][1].
  at::Tensor logits(const std::vector<at::Tensor>& weights, const ModelInput& input, const ForwardPass& pass) const;
  /// Whether `logits` of full sequences and its gradients ask nothing of the processor on the way, so that they can be
  /// recorded (device/work.hpp): matrix products in half precision on the first CUDA device, and attention by
  /// fused_attention alone.
  bool is_recordable(const std::vector<at::Tensor>& weights, const ForwardPass& pass) const;
  /// What `logits` does before its first layer: Y_0 [B][N][C]; pairs: [2 B][N][C], the two of an example side by side.
  at::Tensor embedded(const std::vector<at::Tensor>& weights, const ModelInput& input, const ForwardPass& pass) const;
  /// What `logits` does from there on.
  at::Tensor logits_of(const std::vector<at::Tensor>& weights, const at::Tensor& embedded,
                       const std::vector<Index>& lengths, const ForwardPass& pass) const;

 private:
  /// Where an input of a mechanism besides q, k and v comes from.
  struct Extra {
    enum class From { position_queries, position_keys, first_values, previous_values, parameter } from;
    std::string name;
    std::size_t parameter = 0;
  };
  struct Affine {
    std::size_t weight = 0, bias = 0;
  };
  struct Norm {
    Affine affine;
    std::size_t mean = 0, variance = 0;  // statistics, of batch normalisation
  };
  struct ExpertLayer {
    ExpertSpec spec;
    std::size_t router = 0;
    Affine widen, narrow;
  };
  struct Layer {
    std::string name;
    AttentionCall attention;
    std::vector<Extra> extras;
    ResidualSpec residual;
    std::size_t t = 0;     // parameter, where it is learned
    double skip_rate = 0;  // stochastic depth
    bool position_term = false;
    Norm norm, second_norm;
    Affine project, join, widen, narrow;
    ExpertLayer experts;                 // spec.count > 0: in place of widen and narrow
    std::size_t kernels[3] = {0, 0, 0};  // convolved: of queries, keys and values
    Norm convolved[3];
    Affine channel_queries, channel_norm;  // channel attention
    std::size_t temperature = 0;
  };
  struct Evaluation;

  std::size_t add(std::string name, std::vector<Index> shape, Initial initial);
  Affine add_norm(const std::string& name);
  Norm add_sublayer_norm(const std::string& name, bool batch);
  Affine add_linear(const std::string& name, Index out, Index in, double deviation);
  void add_inputs();
  void add_head();
  Layer add_layer(const LayerSpec& spec, Index number);
  void add_feedforward(Layer& layer, const LayerSpec& spec, double deviation, double joining);
  void check_layout() const;
  void add_extras(Layer& layer, const AttentionSpec& spec);
  std::vector<Index> extents_of(const attention::InputSpec& input, const AttentionSpec& spec) const;
  at::Tensor positions(const Evaluation& run, Index tokens) const;
  at::Tensor tokens_of(const Evaluation& run, const at::Tensor& input) const;
  at::Tensor projected_positions(const Evaluation& run, const Layer& layer, Index part) const;
  ExtraInputs extras_of(const Evaluation& run, const Layer& layer, const at::Tensor& qkv) const;
  at::Tensor projected(const Evaluation& run, const Layer& layer, const at::Tensor& x) const;
  at::Tensor feedforward(const Evaluation& run, const Layer& layer, const at::Tensor& x) const;
  at::Tensor through(Evaluation& run, std::size_t number, const at::Tensor& x) const;
  at::Tensor pooled(const Evaluation& run, const at::Tensor& x) const;
  at::Tensor pixel_scores(const Evaluation& run, const at::Tensor& x) const;
  at::Tensor pair_features(const Evaluation& run, const at::Tensor& x) const;
  at::Tensor features(const Evaluation& run, const at::Tensor& x) const;
  at::Tensor scores_of(const Evaluation& run, const at::Tensor& x) const;

  ModelSpec spec_;
  ModelShape shape_;
  Index tokens_ = 0;
  double added_positions_ = 1;
  bool uses_positions_ = false, has_class_token_ = false, fixed_length_ = false;
  std::vector<ParameterSpec> parameters_;
  std::vector<Layer> layers_;
  std::size_t embedding_ = 0, position_ = 0, class_token_ = 0;
  Affine inputs_, final_norm_, classifier_;  // inputs_: of patches, or of a series' steps
  Affine joined_;                            // pairs: of the two texts' features
};

}  // namespace attest::models
