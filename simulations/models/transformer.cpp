#include "simulations/models/transformer.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "simulations/models/attention_operations.hpp"
#include "simulations/models/batch_norm.hpp"
#include "simulations/models/channel_attention.hpp"
#include "simulations/models/operands.hpp"
#include "simulations/models/residual_layer.hpp"
#include "simulations/models/switch_layer.hpp"

namespace attest::training {

using at::Tensor;

/// What one call of `logits` carries along.
struct Transformer::Evaluation {
  /// `stage` tells patterns of dropout in `embedded` (0) and behind it (1) apart.
  Evaluation(const std::vector<Tensor>& given, const ForwardPass& how, std::vector<Index> real_tokens,
             std::uint64_t stage)
      : weights(given),
        pass(how),
        generator(generator_on(given.front().device(), 2 * how.dropout_seed + stage)),
        lengths(std::move(real_tokens)) {}

  const std::vector<Tensor>& weights;
  const ForwardPass& pass;
  at::Generator generator;
  std::vector<Index> lengths;  // of the token sequences, the class token with them; empty: all are full
  std::vector<Tensor> states;  // Y_0, Y_1, ...: inputs of the layers
  Tensor first_qkv, previous_qkv, positions;

  const Tensor& operator[](std::size_t parameter) const { return weights[parameter]; }
  /// x as it goes into a matrix product.
  Tensor narrowed(const Tensor& x) const {
    return pass.products == at::ScalarType::Undefined ? x : x.to(pass.products);
  }
  /// x as sums and norms have it.
  Tensor widened(const Tensor& x) const { return x.to(weights.front().scalar_type()); }
  Tensor linear(const Affine& a, const Tensor& x) const {
    return at::linear(narrowed(x), narrowed(weights[a.weight]), narrowed(weights[a.bias]));
  }
  Tensor norm(const Affine& a, const Tensor& x) const {
    return at::layer_norm(x, {x.size(-1)}, weights[a.weight], weights[a.bias], 1e-5);
  }
  /// Batch normalisation by the batch's own moments in training, which are noted, else by the moving ones.
  Tensor batch_normed(const Norm& n, const Tensor& x) const {
    const Tensor &weight = weights[n.affine.weight], &bias = weights[n.affine.bias];
    if (!pass.training) return batch_norm(x, weights[n.mean], weights[n.variance], weight, bias);
    const BatchMoments found = batch_moments(x);
    if (pass.record != nullptr) {
      pass.record->statistics.emplace_back(n.mean, found.mean.detach());
      pass.record->statistics.emplace_back(n.variance, found.variance.detach());
    }
    return batch_norm(x, found.mean, found.variance, weight, bias);
  }
  /// Survivors of shape `like`, scaled so that the mean stays.
  Tensor survivors(const Tensor& like, double rate) const {
    return at::empty_like(like).bernoulli_(1 - rate, generator).div_(1 - rate);
  }
  Tensor dropped(const Tensor& x, double rate) const { return pass.training && rate > 0 ? x * survivors(x, rate) : x; }
  /// Whole sequences lose a sub-layer's output (stochastic depth, Huang et al. 2016).
  Tensor skipped(const Tensor& x, double rate) const {
    return pass.training && rate > 0 ? x * survivors(x.select(2, 0).select(1, 0).detach(), rate).view({-1, 1, 1}) : x;
  }
  /// Which places [B][N] of tokens x hold one. Precondition: lengths are given.
  Tensor present(const Tensor& x) const {
    const Tensor place = at::arange(x.size(1), x.options().dtype(at::kLong)).unsqueeze(0);
    return place.lt(at::tensor(lengths, at::kLong).unsqueeze(1).to(x.device()));
  }
  void probe(const std::string& place, const Tensor& output) const {
    if (pass.probe) pass.probe(place, output);
  }
};

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

/// [B][channel][row][column] to [B][patch][channel row column].
Tensor patches_of(const Tensor& images, Index side) {
  const Index rows = images.size(2) / side, columns = images.size(3) / side;
  return images.view({images.size(0), images.size(1), rows, side, columns, side})
      .permute({0, 2, 4, 1, 3, 5})
      .reshape({images.size(0), rows * columns, images.size(1) * side * side});
}

}  // namespace

Tensor Transformer::positions(const Evaluation& run, Index tokens) const {
  if (spec_.positions == ModelSpec::Positions::sinusoidal)
    return sinusoids(tokens, spec_.width, run.weights.front().options().requires_grad(false));
  return run[position_].narrow(0, 0, tokens);
}

Tensor Transformer::tokens_of(const Evaluation& run, const Tensor& input) const {
  switch (spec_.kind) {
    case ModelSpec::Kind::vision:
    case ModelSpec::Kind::segmentation:
      return run.widened(run.linear(inputs_, patches_of(input, spec_.patch)));
    case ModelSpec::Kind::series:
      return run.widened(run.linear(inputs_, input));
    case ModelSpec::Kind::pairs:
      return at::embedding(run[embedding_], input.reshape({-1, input.size(2)}));
    case ModelSpec::Kind::language:
    case ModelSpec::Kind::sequence:
      break;
  }
  return at::embedding(run[embedding_], input);
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

/// Queries, keys and values side by side; behind a convolution of the picture's tokens where the model has one.
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
    const bool causal = spec_.kind == ModelSpec::Kind::language;
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
  const Tensor out = run.linear(layer.narrow, at::gelu(run.linear(layer.widen, x)));
  if (!spec_.channel_attention) return out;
  return channel_attention(run.widened(x), run.widened(run.linear(layer.channel_queries, x)),
                           run.norm(layer.channel_norm, run.widened(out)), run[layer.temperature]);
}

Tensor Transformer::through(Evaluation& run, std::size_t number, const Tensor& x) const {
  const Layer& layer = layers_[number];
  const bool behind = spec_.norm == ModelSpec::Norm::batch;  // norms stand behind the sub-layers
  run.states.push_back(x);
  const Tensor qkv = projected(run, layer, behind ? x : run.norm(layer.norm.affine, x));
  if (!run.first_qkv.defined()) run.first_qkv = qkv;
  AttentionCall call = layer.attention;
  call.key_lengths = run.lengths;
  if (run.pass.training && call.mechanism->takes_dropout)
    call.dropout = {spec_.dropout, run.pass.dropout_seed * 1000003 + run.states.size()};
  const ExtraInputs extra = extras_of(run, layer, qkv);
  const Tensor mixed = run.pass.by_operations ? attend_by_operations(call, qkv, spec_.heads, extra)
                                              : attend_packed(call, qkv, spec_.heads, extra);
  run.previous_qkv = qkv;
  const Tensor attended = run.linear(layer.join, mixed);
  run.probe(layer.name + " attention", attended);
  const Tensor t = layer.residual.learned ? run[layer.t] : Tensor();
  Tensor y =
      add_residual(layer.residual, t, run.skipped(run.dropped(attended, spec_.dropout), layer.skip_rate), run.states);
  if (behind) y = run.batch_normed(layer.norm, y);
  const Tensor out = feedforward(run, layer, behind ? y : run.norm(layer.second_norm.affine, y));
  y = y + run.skipped(run.dropped(out, spec_.dropout), layer.skip_rate);
  if (behind) y = run.batch_normed(layer.second_norm, y);
  run.probe(layer.name + " feedforward", y);
  if (run.pass.on_layer) run.pass.on_layer({static_cast<Index>(number), x, qkv, call, extra, mixed, attended, y});
  return y;
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

Tensor Transformer::scores_of(const Evaluation& run, const Tensor& x) const {
  switch (spec_.kind) {
    case ModelSpec::Kind::language:
      return at::linear(run.narrowed(x.reshape({-1, spec_.width})), run.narrowed(run[embedding_]));
    case ModelSpec::Kind::segmentation:
      return pixel_scores(run, x);
    case ModelSpec::Kind::pairs:
      return run.linear(classifier_, run.dropped(pair_features(run, x), spec_.dropout));
    default:
      return run.linear(classifier_,
                        run.dropped(shape_.per_token ? x.reshape({-1, spec_.width}) : pooled(run, x), spec_.dropout));
  }
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

Tensor Transformer::logits(const std::vector<Tensor>& weights, const ModelInput& input, const ForwardPass& pass) const {
  return logits_of(weights, embedded(weights, input, pass), input.lengths, pass);
}

}  // namespace attest::training
