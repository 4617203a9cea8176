#include "simulations/models/transformer.hpp"

#include <cmath>
#include <optional>

#include "simulations/models/attention_operations.hpp"
#include "simulations/models/operands.hpp"
#include "simulations/models/residual_layer.hpp"

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
  /// Survivors of shape `like`, scaled so that the mean stays.
  Tensor survivors(const Tensor& like, double rate) const {
    return at::empty_like(like).bernoulli_(1 - rate, generator).div_(1 - rate);
  }
  Tensor dropped(const Tensor& x, double rate) const { return pass.training && rate > 0 ? x * survivors(x, rate) : x; }
  /// Whole sequences lose a sub-layer's output (stochastic depth, Huang et al. 2016).
  Tensor skipped(const Tensor& x, double rate) const {
    return pass.training && rate > 0 ? x * survivors(x.select(2, 0).select(1, 0).detach(), rate).view({-1, 1, 1}) : x;
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
      return run.widened(run.linear(inputs_, patches_of(input, spec_.patch)));
    case ModelSpec::Kind::series:
      return run.widened(run.linear(inputs_, input));
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

Tensor Transformer::through(Evaluation& run, std::size_t number, const Tensor& x) const {
  const Layer& layer = layers_[number];
  run.states.push_back(x);
  const Tensor qkv = run.linear(layer.project, run.norm(layer.norm, x));
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
  const Tensor hidden = at::gelu(run.linear(layer.widen, run.norm(layer.second_norm, y)));
  y = y + run.skipped(run.dropped(run.linear(layer.narrow, hidden), spec_.dropout), layer.skip_rate);
  run.probe(layer.name + " feedforward", y);
  if (run.pass.on_layer) run.pass.on_layer({static_cast<Index>(number), x, qkv, call, extra, mixed, attended, y});
  return y;
}

Tensor Transformer::pooled(const Evaluation& run, const Tensor& x) const {
  if (has_class_token_) return x.select(1, 0);
  if (run.lengths.empty()) return spec_.pool == ModelSpec::Pool::mean ? x.mean(1) : x.flatten(1);
  const Tensor lengths = at::tensor(run.lengths, at::kLong).unsqueeze(1).to(x.device());
  const Tensor place = at::arange(x.size(1), x.options().dtype(at::kLong)).unsqueeze(0);
  const Tensor there = place.lt(lengths).to(x.scalar_type()).unsqueeze(2);
  if (spec_.pool == ModelSpec::Pool::flatten) return (x * there).flatten(1);
  // A sequence without tokens has the mean 0.
  return (x * there).sum(1) / lengths.clamp_min(1).to(x.scalar_type());
}

Tensor Transformer::logits_of(const std::vector<Tensor>& weights, const Tensor& embedded,
                              const std::vector<Index>& lengths, const ForwardPass& pass) const {
  Evaluation run(weights, pass, lengths, 1);
  if (has_class_token_)
    for (Index& length : run.lengths) ++length;
  if (uses_positions_) run.positions = positions(run, embedded.size(1));
  Tensor x = embedded;
  for (std::size_t l = 0; l < layers_.size(); ++l) x = through(run, l, x);
  x = run.norm(final_norm_, x);
  if (spec_.kind == ModelSpec::Kind::language || shape_.per_token) x = x.reshape({-1, spec_.width});
  x = run.widened(spec_.kind == ModelSpec::Kind::language
                      ? at::linear(run.narrowed(x), run.narrowed(run[embedding_]))
                      : run.linear(classifier_, run.dropped(shape_.per_token ? x : pooled(run, x), spec_.dropout)));
  run.probe("classifier", x);
  return x;
}

Tensor Transformer::logits(const std::vector<Tensor>& weights, const ModelInput& input, const ForwardPass& pass) const {
  return logits_of(weights, embedded(weights, input, pass), input.lengths, pass);
}

}  // namespace attest::training
