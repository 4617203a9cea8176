// Layers that only some models have: batch normalisation, experts, convolutions, attention of channels.
#include <gtest/gtest.h>

#include "tests/simulations/models/transformer/small_transformers.hpp"
#include "tests/support/rounding.hpp"
#include "tests/support/scratch_folder.hpp"

namespace attest::models {
namespace {

using at::Tensor;
using test_support::message_of;

ModelSpec with_batch_norm() {
  ModelSpec spec = vision();
  spec.norm = ModelSpec::Norm::batch;
  spec.pool = ModelSpec::Pool::mean;
  return spec;
}

Tensor noise_pictures(Index count) { return at::arange(count * 54, at::kDouble).view({count, 1, 6, 9}).sin(); }

TEST(TransformerLayers, with_batch_norm_uses_the_batch_in_training_and_moving_moments_else) {
  const Transformer model(with_batch_norm(), pictures);
  const auto weights = weights_of(model, 1);
  PassRecord record;
  ForwardPass training;
  training.training = true;
  training.record = &record;
  // In training an example's scores depend on the others; in evaluations they do not.
  const Tensor both = noise_pictures(2), one = both.narrow(0, 0, 1);
  EXPECT_FALSE(
      at::allclose(model.logits(weights, {both}, training).narrow(0, 0, 1), model.logits(weights, {one}, training)));
  EXPECT_TRUE(at::allclose(model.logits(weights, {both}, {}).narrow(0, 0, 1), model.logits(weights, {one}, {})));
  // Three layers with two norms with a mean and a variance, noted in both passes.
  EXPECT_EQ(record.statistics.size(), 2U * 12U);
  for (const auto& [parameter, value] : record.statistics) {
    EXPECT_TRUE(model.parameters()[parameter].statistic);
    EXPECT_EQ(value.sizes(), (std::vector<Index>{12}));
  }
}

TEST(TransformerLayers, refuses_what_its_kind_cannot_have) {
  ModelSpec spec = language();
  spec.norm = ModelSpec::Norm::batch;
  EXPECT_NE(
      message_of<std::invalid_argument>([&] { Transformer(spec, alphabet); }).find("shows a language model the future"),
      std::string::npos);
  spec = language();
  spec.convolved = true;
  EXPECT_NE(message_of<std::invalid_argument>([&] { Transformer(spec, alphabet); }).find("is for images alone"),
            std::string::npos);
}

/// Three layers of three experts with room for ceil(0.6 * 6 / 3) = 2 tokens of a sequence of six.
ModelSpec with_experts() {
  ModelSpec spec = language();
  for (LayerSpec& layer : spec.layers) layer.experts = {.count = 3, .capacity = 0.6, .evaluation_capacity = 0.6};
  return spec;
}

/// Up to rounding, not bit for bit: an expert's products have as many rows as it has tokens, and BLAS sums by their
/// number. Scores are about 1 and a dropped token moves them as much; a thousand operations round them by less.
bool equal_up_to_rounding(const Tensor& a, const Tensor& b) {
  return at::allclose(a, b, 0, 1000 * tests::unit_roundoff * (1 + a.abs().max().item<double>()));
}

TEST(TransformerLayers, of_language_with_experts_drops_tokens_that_find_no_room) {
  const Transformer model(with_experts(), alphabet);
  PassRecord record;
  ForwardPass pass;
  pass.record = &record;
  model.logits(weights_of(model, 1), {letters()}, pass);
  EXPECT_EQ(record.routed, 2 * 3 * 6);
  // The six tokens of a sequence find room for six only where each expert is asked for by two.
  EXPECT_GT(record.dropped, 0);
  EXPECT_LE(record.dropped, 2 * 3 * 4);
  EXPECT_TRUE(record.balance.defined());
}

TEST(TransformerLayers, of_language_with_experts_sees_no_later_token_and_no_other_sequence) {
  const Transformer model(with_experts(), alphabet);
  const auto weights = weights_of(model, 1);
  const auto scores = [&](const Tensor& tokens) {
    return model.logits(weights, {tokens}, {}).view({tokens.size(0), tokens.size(1), 5});
  };
  const Tensor both = scores(letters());
  for (Index from = 1; from < 6; ++from) {
    Tensor changed = letters();
    changed.narrow(1, from, 6 - from).add_(1).remainder_(5);
    const Tensor moved = scores(changed);
    EXPECT_TRUE(equal_up_to_rounding(both.narrow(1, 0, from), moved.narrow(1, 0, from))) << from;
    EXPECT_FALSE(equal_up_to_rounding(both.select(1, from), moved.select(1, from))) << from;
    // What is written one by one has the answers of the whole.
    EXPECT_TRUE(equal_up_to_rounding(both.narrow(1, 0, from), scores(letters().narrow(1, 0, from)))) << from;
  }
  for (Index b = 0; b < 2; ++b)
    EXPECT_TRUE(equal_up_to_rounding(both.narrow(0, b, 1), scores(letters().narrow(0, b, 1)))) << b;
}

TEST(TransformerLayers, with_convolved_projections_that_change_nothing_is_the_plain_one) {
  ModelSpec spec = vision();
  spec.convolved = true;
  const Transformer model(spec, pictures), plain(vision(), pictures);
  // The kernels begin as the identity and the moving moments as 0 and 1, up to the 1e-5 below the root.
  const Tensor images = noise_pictures(2);
  EXPECT_TRUE(at::allclose(model.logits(weights_of(model, 1), {images}, {}),
                           plain.logits(weights_of(plain, 1), {images}, {}), 1e-3, 1e-3));
  auto weights = weights_of(model, 1);
  for (std::size_t p = 0; p < weights.size(); ++p)
    if (model.parameters()[p].name == "layer 0.convolution k") weights[p] = at::ones_like(weights[p]);
  EXPECT_FALSE(
      at::allclose(model.logits(weights, {images}, {}), plain.logits(weights_of(plain, 1), {images}, {}), 1e-3, 1e-3));
}

TEST(TransformerLayers, with_channel_attention_has_its_parameters_in_every_layer) {
  ModelSpec spec = vision();
  spec.channel_attention = true;
  const Transformer model(spec, pictures), plain(vision(), pictures);
  EXPECT_EQ(model.parameters().size(), plain.parameters().size() + 3 * 5);
  const Tensor images = noise_pictures(2);
  EXPECT_FALSE(
      at::allclose(model.logits(weights_of(model, 1), {images}, {}), plain.logits(weights_of(plain, 1), {images}, {})));
}

}  // namespace
}  // namespace attest::models
