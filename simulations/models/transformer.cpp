#include "simulations/models/transformer.hpp"

#include <cmath>
#include <optional>

namespace attest::training {

using at::Tensor;

/// What one call of `logits` carries along.
struct Transformer::Evaluation {
  const std::vector<Tensor>& weights;
  const ForwardPass& pass;
  at::Generator generator;
  std::vector<Tensor> states;  // Y_0, Y_1, ...: inputs of the layers
  Tensor first_qkv;
  Tensor positions;

  const Tensor& operator[](std::size_t parameter) const { return weights[parameter]; }
  Tensor linear(const Affine& a, const Tensor& x) const { return at::linear(x, weights[a.weight], weights[a.bias]); }
  Tensor norm(const Affine& a, const Tensor& x) const {
    return at::layer_norm(x, {x.size(-1)}, weights[a.weight], weights[a.bias], 1e-5);
  }
  Tensor dropped(const Tensor& x, double rate) const {
    if (!pass.training || rate == 0) return x;
    return x * at::empty_like(x).bernoulli_(1 - rate, generator).div_(1 - rate);
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
  return table.to(options.dtype());
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

Tensor Transformer::embed(Evaluation& run, const Tensor& input) const {
  Tensor tokens;
  if (spec_.kind == ModelSpec::Kind::language) {
    tokens = at::embedding(run[embedding_], input);
  } else {
    tokens = run.linear(patches_, patches_of(input, spec_.patch));
    if (spec_.pool == ModelSpec::Pool::class_token)
      tokens = at::cat({run[class_token_].expand({input.size(0), 1, spec_.width}), tokens}, 1);
  }
  run.positions = positions(run, tokens.size(1));
  if (added_positions_) tokens = tokens + run.positions;
  return run.dropped(tokens, spec_.dropout);
}

Tensor Transformer::attend(Evaluation& run, const Layer& layer, const Tensor& normed) const {
  const Tensor qkv = run.linear(layer.project, normed);
  if (!run.first_qkv.defined()) run.first_qkv = qkv;
  ExtraInputs extra;
  Tensor projected_positions;
  for (const Extra& one : layer.extras) {
    if (one.from == Extra::From::parameter) {
      extra.emplace_back(one.name, run[one.parameter]);
    } else if (one.from == Extra::From::first_values) {
      extra.emplace_back(one.name, values_of(run.first_qkv, spec_.heads));
    } else {
      // Tokens and positions share W_Q and W_K; a bias would not tell positions apart, so it is left out.
      const Index row = one.from == Extra::From::position_queries ? 0 : spec_.width;
      extra.emplace_back(one.name, at::linear(run.positions, run[layer.project.weight].narrow(0, row, spec_.width))
                                       .view({run.positions.size(0), spec_.heads, spec_.width / spec_.heads})
                                       .transpose(0, 1));
    }
  }
  AttentionCall call = layer.attention;
  if (run.pass.training && call.mechanism->takes_dropout)
    call.dropout = {spec_.dropout, run.pass.dropout_seed * 1000003 + run.states.size()};
  return run.linear(layer.join, attend_packed(call, qkv, spec_.heads, extra));
}

Tensor Transformer::after_residual(const Evaluation& run, const Layer& layer, std::size_t number,
                                   const Tensor& f) const {
  const Tensor& here = run.states[number];
  switch (layer.residual.kind) {
    case ResidualSpec::Kind::standard:
      return f + here;
    case ResidualSpec::Kind::generalised: {
      const Tensor& source = run.states[static_cast<std::size_t>(layer.residual.source)];
      return f + (layer.residual.learned ? source * run[layer.t] : source * layer.residual.t);
    }
    case ResidualSpec::Kind::boosting: {
      const Tensor away = run.states.front() - here;
      return f + here + (layer.residual.learned ? away * run[layer.t] : away * layer.residual.t);
    }
  }
  return f;
}

Tensor Transformer::logits(const std::vector<Tensor>& weights, const Tensor& input, const ForwardPass& pass) const {
  Evaluation run{weights, pass, at::make_generator<at::CPUGeneratorImpl>(pass.dropout_seed), {}, {}, {}};
  Tensor x = embed(run, input);
  run.probe("embedding", x);
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    const Layer& layer = layers_[l];
    run.states.push_back(x);
    const Tensor attended = run.dropped(attend(run, layer, run.norm(layer.norm, x)), spec_.dropout);
    run.probe(layer.name + " attention", attended);
    x = after_residual(run, layer, l, attended);
    const Tensor hidden = at::gelu(run.linear(layer.widen, run.norm(layer.second_norm, x)));
    x = x + run.dropped(run.linear(layer.narrow, hidden), spec_.dropout);
    run.probe(layer.name + " feedforward", x);
  }
  x = run.norm(final_norm_, x);
  if (spec_.kind == ModelSpec::Kind::language) {
    x = at::linear(x.reshape({-1, spec_.width}), run[embedding_]);
  } else {
    x = run.linear(classifier_, spec_.pool == ModelSpec::Pool::mean ? x.mean(1) : x.select(1, 0));
  }
  run.probe("classifier", x);
  return x;
}

}  // namespace attest::training
