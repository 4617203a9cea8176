#include "simulations/models/transformer/transformer.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "simulations/models/attention_operations.hpp"
#include "simulations/models/channel_attention.hpp"
#include "simulations/models/device/fused_dropout.hpp"
#include "simulations/models/operands.hpp"
#include "simulations/models/residual_layer.hpp"
#include "simulations/models/switch_layer.hpp"
#include "simulations/models/transformer/evaluation.hpp"

namespace attest::models {

using at::Tensor;

namespace {

/// Interleaved sines and cosines, first position 0 (boosting paper, Eq 2.5).
Tensor sinusoids(Index tokens, Index width, const at::TensorOptions& options) {
  Tensor table = at::empty({tokens, width}, options.dtype(at::kDouble));
  auto* entry = table.data_ptr<double>();
  for (Index n = 0; n < tokens; ++n)
    for (Index c = 0; c < width; ++c) {
      const double angle =
          static_cast<double>(n) / std::pow(10000.0, static_cast<double>(c - c % 2) / static_cast<double>(width));
      *entry++ = c % 2 == 0 ? std::sin(angle) : std::cos(angle);
    }
  return table.to(options.device(), at::typeMetaToScalarType(options.dtype()));
}

}  // namespace

Tensor Transformer::positions(const Evaluation& run, Index tokens) const {
  if (spec_.positions == ModelSpec::Positions::sinusoidal)
    return sinusoids(tokens, spec_.width, run.weights.front().options().requires_grad(false));
  return run[position_].narrow(0, 0, tokens);
}

Tensor Transformer::embedded(const std::vector<Tensor>& weights, const ModelInput& input,
                             const ForwardPass& pass) const {
  const Evaluation run(weights, pass, {}, 0);
  Tensor tokens = tokens_of(run, input.values);
  if (has_class_token_) tokens = at::cat({run[class_token_].expand({tokens.size(0), 1, spec_.width}), tokens}, 1);
  if (added_positions_ != 0) {
    const Tensor places = positions(run, tokens.size(1));
    tokens = tokens + (added_positions_ == 1 ? places : places * added_positions_);
  }
  tokens = run.dropped(tokens, spec_.dropout);
  run.probe("embedding", tokens);
  return tokens;
}

/// W_Q p (part 0) or W_K p (part 1), [H][N][D]. Tokens and positions share W_Q and W_K; a bias would not tell positions
/// apart, so it is left out.
Tensor Transformer::projected_positions(const Evaluation& run, const Layer& layer, Index part) const {
  return at::linear(run.positions, run[layer.project.weight].narrow(0, part * spec_.width, spec_.width))
      .view({run.positions.size(0), spec_.heads, spec_.width / spec_.heads})
      .transpose(0, 1);
}

ExtraInputs Transformer::extras_of(const Evaluation& run, const Layer& layer, const Tensor& qkv) const {
  ExtraInputs extra;
  for (const Extra& one : layer.extras) {
    if (one.from == Extra::From::parameter) {
      extra.emplace_back(one.name, run[one.parameter]);
    } else if (one.from == Extra::From::first_values) {
      extra.emplace_back(one.name, unpacked(run.first_qkv, spec_.heads, 2));
    } else if (one.from == Extra::From::previous_values) {
      extra.emplace_back(one.name, unpacked(run.previous_qkv, spec_.heads, 2));
    } else {
      extra.emplace_back(one.name, projected_positions(run, layer, one.from == Extra::From::position_queries ? 0 : 1));
    }
  }
  if (layer.position_term)
    for (const Index part : {Index{0}, Index{1}}) {
      const Tensor tokens = unpacked(qkv, spec_.heads, part);
      const Tensor places =
          projected_positions(run, layer, part).to(tokens.scalar_type()).unsqueeze(0).expand_as(tokens);
      // The mechanism divides logits of 2 D features by sqrt(2 D), the bandwidths by sqrt(D): the fourth root of two on
      // either side makes up for it.
      extra.emplace_back(part == 0 ? "q" : "k", at::cat({tokens, places}, 3) * std::pow(2.0, 0.25));
    }
  return extra;
}

/// Queries, keys and values side by side; after a convolution of the picture's tokens where the model has one.
Tensor Transformer::projected(const Evaluation& run, const Layer& layer, const Tensor& x) const {
  if (!spec_.convolved) return run.linear(layer.project, x);
  const Index rows = shape_.rows / spec_.patch, columns = shape_.columns / spec_.patch, width = spec_.width,
              first = has_class_token_ ? 1 : 0;
  const Tensor grid = x.narrow(1, first, rows * columns).transpose(1, 2).reshape({-1, width, rows, columns});
  std::vector<Tensor> parts;
  for (std::size_t part = 0; part < 3; ++part) {
    const Tensor kernel = run[layer.kernels[part]].unsqueeze(1);
    Tensor tokens = at::conv2d(grid, kernel, {}, 1, 1, 1, width).flatten(2).transpose(1, 2);
    tokens = run.batch_normed(layer.convolved[part], tokens);
    if (first == 1) tokens = at::cat({x.narrow(1, 0, 1), tokens}, 1);
    const Index row = static_cast<Index>(part) * width;
    parts.push_back(at::linear(run.narrowed(tokens), run.narrowed(run[layer.project.weight].narrow(0, row, width)),
                               run.narrowed(run[layer.project.bias].narrow(0, row, width))));
  }
  return at::cat(parts, 2);
}

Tensor Transformer::feedforward(const Evaluation& run, const Layer& layer, const Tensor& x) const {
  if (const ExpertSpec& spec = layer.experts.spec; spec.count > 0) {
    const Affine &widen = layer.experts.widen, &narrow = layer.experts.narrow;
    const Experts experts{run[layer.experts.router], run[widen.weight], run[widen.bias], run[narrow.weight],
                          run[narrow.bias]};
    // Filled-up places ask for no expert.
    const Tensor all = x.reshape({-1, spec_.width});
    const Tensor places = run.lengths.empty() ? Tensor() : run.present(x).flatten().nonzero().squeeze(1);
    const Tensor tokens = places.defined() ? all.index_select(0, places) : all;
    const double capacity = run.pass.training ? spec.capacity : spec.evaluation_capacity;
    // Of language each sequence has room of its own, that of a whole context: an answer then depends neither on later
    // tokens, nor on how many follow, nor on the other sequences of the batch.
    const bool causal = traits_of(spec_.kind).causal();
    const Index shared = causal ? tokens_ : tokens.size(0);
    const Routed routed = switch_layer(
        tokens, experts,
        {.group = causal ? x.size(1) : std::max<Index>(1, shared), .room = expert_room(capacity, shared, spec.count)});
    if (PassRecord* record = run.pass.record; record != nullptr) {
      const Tensor balance = routed.balance * spec.balance;
      record->balance = record->balance.defined() ? record->balance + balance : balance;
      record->routed += static_cast<double>(tokens.size(0));
      record->dropped += static_cast<double>(routed.dropped);
    }
    const Tensor out = places.defined() ? at::zeros_like(all).index_add(0, places, routed.output) : routed.output;
    return out.view_as(x);
  }
  Tensor out = run.linear(layer.narrow, at::gelu(run.linear(layer.widen, x)));
  if (!spec_.channel_attention) return out;
  return channel_attention(run.widened(x), run.widened(run.linear(layer.channel_queries, x)),
                           run.norm(layer.channel_norm, run.widened(out)), run[layer.temperature]);
}

Tensor Transformer::through(Evaluation& run, std::size_t number, const Tensor& x) const {
  const Layer& layer = layers_[number];
  const bool after = spec_.norm == ModelSpec::Norm::batch;  // norms stand after the sub-layers
  run.states.push_back(x);
  const Tensor qkv = projected(run, layer, after ? x : run.norm(layer.norm.affine, x));
  if (!run.first_qkv.defined()) run.first_qkv = qkv;
  AttentionCall call = layer.attention;
  call.key_lengths = run.lengths;
  if (run.pass.training && call.mechanism->takes_dropout)
    call.dropout = {spec_.dropout, base_of_seeds(run.pass.dropout_seed) + run.states.size()};
  call.added_seed = run.pass.added_seed;
  const ExtraInputs extra = extras_of(run, layer, qkv);
  const Tensor mixed = run.pass.by_operations ? attend_by_operations(call, qkv, spec_.heads, extra)
                                              : attend_packed(call, qkv, spec_.heads, extra);
  run.previous_qkv = qkv;
  const Tensor attended = run.linear(layer.join, mixed);
  run.probe(layer.name + " attention", attended);
  const Tensor t = layer.residual.learned ? run[layer.t] : Tensor();
  Tensor y =
      add_residual(layer.residual, t, run.skipped(run.dropped(attended, spec_.dropout), layer.skip_rate), run.states);
  if (after) y = run.batch_normed(layer.norm, y);
  const Tensor out = feedforward(run, layer, after ? y : run.norm(layer.second_norm.affine, y));
  y = y + run.skipped(run.dropped(out, spec_.dropout), layer.skip_rate);
  if (after) y = run.batch_normed(layer.second_norm, y);
  run.probe(layer.name + " feedforward", y);
  if (run.pass.on_layer) run.pass.on_layer({static_cast<Index>(number), x, qkv, call, extra, mixed, attended, y});
  return y;
}

Tensor Transformer::logits_of(const std::vector<Tensor>& weights, const Tensor& embedded,
                              const std::vector<Index>& lengths, const ForwardPass& pass) const {
  Evaluation run(weights, pass, lengths, 1);
  if (has_class_token_)
    for (Index& length : run.lengths) ++length;
  if (uses_positions_) run.positions = positions(run, embedded.size(1));
  Tensor x = embedded;
  for (std::size_t l = 0; l < layers_.size(); ++l) x = through(run, l, x);
  x = spec_.norm == ModelSpec::Norm::batch ? at::gelu(x) : run.norm(final_norm_, x);
  x = run.widened(scores_of(run, x));
  run.probe("classifier", x);
  return x;
}

bool Transformer::is_recordable(const std::vector<Tensor>& weights, const ForwardPass& pass) const {
  const bool plain_layers = std::all_of(layers_.begin(), layers_.end(), [](const Layer& layer) {
    return is_fused_alone(*layer.attention.mechanism) && layer.extras.empty() && !layer.position_term &&
           layer.experts.spec.count == 0 && layer.skip_rate == 0;
  });
  // Tables of sines and the places of what is asked come from the processor.
  return plain_layers && !spec_.convolved && !spec_.channel_attention && pass.by_operations &&
         (pass.products == at::kBFloat16 || pass.products == at::kHalf) && is_within_reach(weights.front()) &&
         spec_.positions != ModelSpec::Positions::sinusoidal && !shape_.regression;
}

Tensor Transformer::logits(const std::vector<Tensor>& weights, const ModelInput& input, const ForwardPass& pass) const {
  return logits_of(weights, embedded(weights, input, pass), input.lengths, pass);
}

}  // namespace attest::models
