// What one call of a Transformer carries along: weights, dropout and states, with the operations on them. Only the
// files that define Transformer include it.
#pragma once

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "simulations/models/batch_norm.hpp"
#include "simulations/models/device/fused_dropout.hpp"
#include "simulations/models/operands.hpp"
#include "simulations/models/transformer/transformer.hpp"

namespace attest::models {

/// What one call of `logits` carries along.
struct Transformer::Evaluation {
  /// `stage` tells patterns of dropout in `embedded` (0) and after it (1) apart.
  Evaluation(const std::vector<at::Tensor>& given, const ForwardPass& how, std::vector<Index> real_tokens,
             std::uint64_t stage)
      : weights(given),
        pass(how),
        generator_seed(2 * how.dropout_seed + stage),
        next_pattern((stage + 1) << 32U),
        lengths(std::move(real_tokens)) {}

  const std::vector<at::Tensor>& weights;
  const ForwardPass& pass;
  std::uint64_t generator_seed;
  mutable at::Generator made;          // generator(), once it was asked for: what is recorded must not make one
  mutable std::uint64_t next_pattern;  // of fused_dropout; the first 2^32 are those of attention
  std::vector<Index> lengths;          // of the token sequences, the class token with them; empty: all are full
  std::vector<at::Tensor> states;      // Y_0, Y_1, ...: inputs of the layers
  at::Tensor first_qkv, previous_qkv, positions;

  at::Generator& generator() const {
    if (!made.defined()) made = generator_on(weights.front().device(), generator_seed);
    return made;
  }
  const at::Tensor& operator[](std::size_t parameter) const { return weights[parameter]; }
  /// x as it goes into a matrix product.
  at::Tensor narrowed(const at::Tensor& x) const {
    return pass.products == at::ScalarType::Undefined ? x : x.to(pass.products);
  }
  /// x as sums and norms have it.
  at::Tensor widened(const at::Tensor& x) const { return x.to(weights.front().scalar_type()); }
  /// A weight as it goes into a matrix product.
  at::Tensor rounded(std::size_t parameter) const {
    return pass.rounded_weights == nullptr ? narrowed(weights[parameter]) : (*pass.rounded_weights)[parameter];
  }
  at::Tensor linear(const Affine& a, const at::Tensor& x) const {
    return at::linear(narrowed(x), rounded(a.weight), rounded(a.bias));
  }
  at::Tensor norm(const Affine& a, const at::Tensor& x) const {
    return at::layer_norm(x, {x.size(-1)}, weights[a.weight], weights[a.bias], 1e-5);
  }
  /// Batch normalisation by the batch's own moments in training, which are noted, else by the moving ones.
  at::Tensor batch_normed(const Norm& n, const at::Tensor& x) const {
    const at::Tensor &weight = weights[n.affine.weight], &bias = weights[n.affine.bias];
    if (!pass.training) return batch_norm(x, weights[n.mean], weights[n.variance], weight, bias);
    const BatchMoments found = batch_moments(x);
    if (pass.record != nullptr) {
      pass.record->statistics.emplace_back(n.mean, found.mean.detach());
      pass.record->statistics.emplace_back(n.variance, found.variance.detach());
    }
    return batch_norm(x, found.mean, found.variance, weight, bias);
  }
  /// Survivors of shape `like`, scaled so that the mean stays.
  at::Tensor survivors(const at::Tensor& like, double rate) const {
    return at::empty_like(like).bernoulli_(1 - rate, generator()).div_(1 - rate);
  }
  at::Tensor dropped(const at::Tensor& x, double rate) const {
    if (!pass.training || rate == 0) return x;
    // One kernel on a device, where the other ways take two or four.
    if (is_within_reach(x) && x.scalar_type() != at::kDouble)
      return fused_dropout(x, {rate, base_of_seeds(pass.dropout_seed) + next_pattern++}, pass.added_seed);
    return x.is_cuda() ? std::get<0>(at::_fused_dropout(x, 1 - rate, generator())) : x * survivors(x, rate);
  }
  /// Whole sequences lose a sub-layer's output (stochastic depth, Huang et al. 2016).
  at::Tensor skipped(const at::Tensor& x, double rate) const {
    return pass.training && rate > 0 ? x * survivors(x.select(2, 0).select(1, 0).detach(), rate).view({-1, 1, 1}) : x;
  }
  /// Which places [B][N] of tokens x hold one. Precondition: lengths are given.
  at::Tensor present(const at::Tensor& x) const {
    const at::Tensor place = at::arange(x.size(1), x.options().dtype(at::kLong)).unsqueeze(0);
    return place.lt(at::tensor(lengths, at::kLong).unsqueeze(1).to(x.device()));
  }
  void probe(const std::string& place, const at::Tensor& output) const {
    if (pass.probe) pass.probe(place, output);
  }
};

}  // namespace attest::models
