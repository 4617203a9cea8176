#include "simulations/models/transformer/transformer.hpp"

#include <gtest/gtest.h>

#include "tests/simulations/models/transformer/small_transformers.hpp"
#include "tests/support/rounding.hpp"
#include "tests/support/scratch_folder.hpp"

namespace attest::models {
namespace {

using at::Tensor;
using test_support::message_of;

Tensor scores(const ModelSpec& spec) {
  const Transformer model(spec, alphabet);
  return model.logits(weights_of(model, 1), {letters()}, {});
}

TEST(Transformer, of_language_does_not_see_the_future) {
  for (const char* mechanism : {"softmax", "twicing", "bilateral"}) {
    ModelSpec spec = language();
    for (LayerSpec& layer : spec.layers) layer.attention.mechanism = mechanism;
    const Transformer model(spec, alphabet);
    const auto weights = weights_of(model, 1);
    Tensor changed = letters();
    changed.select(1, 5).fill_(1);
    const Tensor a = model.logits(weights, {letters()}, {}).view({2, 6, 5});
    const Tensor b = model.logits(weights, {changed}, {}).view({2, 6, 5});
    EXPECT_TRUE(a.narrow(1, 0, 5).equal(b.narrow(1, 0, 5))) << mechanism;
    EXPECT_FALSE(a.select(1, 5).equal(b.select(1, 5))) << mechanism;
  }
}

TEST(Transformer, takes_another_mechanism_in_one_layer_alone) {
  ModelSpec last = language(), all = language();
  last.layers[2].attention.mechanism = "twicing";
  for (LayerSpec& layer : all.layers) layer.attention.mechanism = "twicing";
  EXPECT_FALSE(scores(last).equal(scores(language())));
  EXPECT_FALSE(scores(last).equal(scores(all)));
}

TEST(Transformer, with_boosting_at_zero_is_the_standard_one) {
  ModelSpec boosted = language();
  for (LayerSpec& layer : boosted.layers) layer.residual = {ResidualSpec::Kind::boosting, 0, false, 0};
  EXPECT_TRUE(scores(boosted).equal(scores(language())));
  for (LayerSpec& layer : boosted.layers) layer.residual.t = 0.5;
  EXPECT_FALSE(at::allclose(scores(boosted), scores(language())));
}

TEST(Transformer, with_the_generalised_residual_of_its_own_state_is_the_standard_one) {
  ModelSpec spec = language();
  for (std::size_t l = 0; l < spec.layers.size(); ++l)
    spec.layers[l].residual = {ResidualSpec::Kind::generalised, 1, false, static_cast<Index>(l)};
  EXPECT_TRUE(scores(spec).equal(scores(language())));
}

TEST(Transformer, of_segmentation_gives_each_pixel_the_scores_of_the_patches_around_it) {
  ModelSpec spec = vision();
  spec.kind = ModelSpec::Kind::segmentation;
  const Transformer model(spec, pictures);
  const auto weights = weights_of(model, 1);
  const Tensor images = at::arange(2 * 6 * 9, at::kDouble).view({2, 1, 6, 9}).sin();
  const Tensor pixels = model.logits(weights, {images}, {}).view({2, 6, 9, 4});
  // Patches of 3 x 3 have their middles at rows 1 and 4, columns 1, 4 and 7: between two of them scores are linear, and
  // beyond the outer ones constant.
  const auto at_pixel = [&](Index row, Index column) { return pixels.select(1, row).select(1, column); };
  EXPECT_TRUE(at::allclose(at_pixel(2, 1), (at_pixel(1, 1) * 2 + at_pixel(4, 1)) / 3));
  EXPECT_TRUE(at::allclose(at_pixel(1, 6), (at_pixel(1, 4) + at_pixel(1, 7) * 2) / 3));
  EXPECT_TRUE(at::allclose(at_pixel(0, 0), at_pixel(1, 1)));
  EXPECT_FALSE(at::allclose(at_pixel(1, 1), at_pixel(4, 4)));
}

TEST(Transformer, of_pairs_sends_both_texts_through_one_encoder) {
  ModelSpec spec = language();
  spec.kind = ModelSpec::Kind::pairs;
  spec.pool = ModelSpec::Pool::mean;
  ModelShape shape;
  shape.classes = 3;
  shape.vocabulary = 5;
  shape.tokens = 3;
  shape.unequal = true;
  const Transformer model(spec, shape);
  const auto weights = weights_of(model, 1);
  const Tensor texts = at::tensor({0, 1, 2, 3, 4, 0, 4, 3, 2, 1, 0, 4}, at::kLong).view({2, 2, 3});
  const Tensor scores = model.logits(weights, {texts, {3, 2, 1, 3}}, {});
  EXPECT_EQ(scores.sizes(), (std::vector<Index>{2, 3}));
  // What lies beyond a text's length changes nothing, what lies within does, in either tower.
  Tensor hidden = texts.clone(), seen = texts.clone();
  hidden.select(0, 0).select(0, 1).select(0, 2).fill_(1);
  seen.select(0, 0).select(0, 1).select(0, 1).fill_(1);
  EXPECT_TRUE(at::allclose(model.logits(weights, {hidden, {3, 2, 1, 3}}, {}), scores));
  EXPECT_FALSE(at::allclose(model.logits(weights, {seen, {3, 2, 1, 3}}, {}), scores));
  // Of two equal texts the difference a - b is 0 and the towers may be exchanged.
  const Tensor swapped = model.logits(weights, {texts.flip({1}), {2, 3, 3, 1}}, {});
  EXPECT_FALSE(at::allclose(swapped, scores));
  const Tensor same = at::cat({texts.narrow(1, 0, 1), texts.narrow(1, 0, 1)}, 1);
  EXPECT_TRUE(at::allclose(model.logits(weights, {same.flip({1})}, {}), model.logits(weights, {same}, {})));
}

TEST(Transformer, learns_every_parameter_it_lists) {
  ModelSpec spec = language();
  spec.layers[1].attention.mechanism = "bilateral";
  spec.layers[1].attention.learned = {"h_p2", "h_y2"};
  spec.layers[2].residual = {ResidualSpec::Kind::boosting, 0, true, 0};
  const Transformer model(spec, alphabet);
  std::vector<Tensor> weights = weights_of(model, 1);
  for (Tensor& weight : weights) weight.requires_grad_(true);
  const Tensor loss = at::cross_entropy_loss(model.logits(weights, {letters()}, {}), letters().view({-1}));
  const auto gradients = torch::autograd::grad({loss}, weights, {}, false, false, true);
  for (std::size_t p = 0; p < weights.size(); ++p)
    EXPECT_TRUE(gradients[p].defined() && gradients[p].abs().max().item<double>() > 0) << model.parameters()[p].name;
}

TEST(Transformer, of_images_gives_one_row_of_scores_each) {
  for (const auto pool : {ModelSpec::Pool::class_token, ModelSpec::Pool::mean}) {
    ModelSpec spec = vision();
    spec.pool = pool;
    const Transformer model(spec, pictures);
    EXPECT_EQ(model.tokens(), pool == ModelSpec::Pool::mean ? 6 : 7);
    const Tensor images = at::arange(2 * 54, at::kDouble).view({2, 1, 6, 9}) / 54;
    EXPECT_EQ(model.logits(weights_of(model, 1), {images}, {}).sizes(), at::IntArrayRef({2, 4}));
  }
}

TEST(Transformer, with_one_landmark_a_token_or_all_tokens_projected_by_themselves_has_bilateral_logits) {
  // Nystromformer with as many landmarks as tokens is softmax attention, up to its iterated pseudo-inverse; Linformer
  // with E = F = 1 is softmax attention: with the position term both are bilateral attention.
  ModelSpec bilateral = vision(), linformer = vision();
  bilateral.layers.resize(1);
  linformer.layers.resize(1);
  bilateral.layers[0].attention.mechanism = "bilateral";
  linformer.layers[0].attention.mechanism = "linformer";
  linformer.layers[0].attention.extents["r"] = 7;
  linformer.layers[0].attention.position_term = true;
  const Transformer first(bilateral, pictures), second(linformer, pictures);
  std::vector<Tensor> weights = weights_of(second, 1), shared;
  for (std::size_t p = 0; p < weights.size(); ++p) {
    const std::string& name = second.parameters()[p].name;
    const bool projection = name.ends_with(".E") || name.ends_with(".F");
    if (projection) weights[p] = at::eye(7, at::kDouble);
    if (!projection) shared.push_back(weights[p]);
  }
  const ModelInput images{at::arange(2 * 54, at::kDouble).view({2, 1, 6, 9}) / 54};
  // One layer: five products in a row, of at most 16 terms below 8.
  constexpr double rounding = 5 * 16 * 8 * tests::unit_roundoff;
  EXPECT_LE((first.logits(shared, images, {}) - second.logits(weights, images, {})).abs().max().item<double>(),
            rounding);
}

TEST(Transformer, adds_positions_with_the_weight_asked_for) {
  ModelSpec spec = vision();
  for (LayerSpec& layer : spec.layers) layer.attention.mechanism = "bilateral";
  const ModelInput images{at::arange(2 * 54, at::kDouble).view({2, 1, 6, 9}) / 54};
  const auto embedded = [&](std::optional<double> weight) {
    spec.added_positions = weight;
    const Transformer model(spec, pictures);
    return model.embedded(weights_of(model, 1), images, {});
  };
  const Tensor free = embedded({}), once = embedded(1) - free;
  EXPECT_GT(once.abs().max().item<double>(), 0);
  const double rounding = 6 * tests::unit_roundoff * embedded(1).abs().max().item<double>();  // sums and a product
  EXPECT_LE((embedded(0.3) - free - 0.3 * once).abs().max().item<double>(), rounding);
}

TEST(Transformer, tells_elliptical_attention_the_values_of_the_layer_before) {
  ModelSpec elliptical = vision(), softmax = vision();
  for (LayerSpec& layer : elliptical.layers) layer.attention.mechanism = "elliptical";
  const Transformer first(elliptical, pictures), second(softmax, pictures);
  const auto weights = weights_of(first, 1);
  const ModelInput images{at::arange(2 * 54, at::kDouble).view({2, 1, 6, 9}) / 54};
  std::vector<Tensor> bent, plain;
  ForwardPass of_bent, of_plain;
  of_bent.on_layer = [&](const LayerView& layer) { bent.push_back(layer.attended); };
  of_plain.on_layer = [&](const LayerView& layer) { plain.push_back(layer.attended); };
  first.logits(weights, images, of_bent);
  second.logits(weights, images, of_plain);
  EXPECT_TRUE(bent[0].equal(plain[0])) << "the first layer has none before it";
  EXPECT_FALSE(bent[1].equal(plain[1]));
}

TEST(Transformer, skips_no_layer_in_evaluation_and_whole_sequences_in_training) {
  ModelSpec spec = vision();
  spec.stochastic_depth = 0.9;
  const Transformer model(spec, pictures);
  const Transformer plain(vision(), pictures);
  const auto weights = weights_of(model, 1);
  const ModelInput images{at::arange(2 * 54, at::kDouble).view({2, 1, 6, 9}) / 54};
  EXPECT_TRUE(model.logits(weights, images, {}).equal(plain.logits(weights, images, {})));
  EXPECT_FALSE(model.logits(weights, images, {true, 1}).equal(model.logits(weights, images, {true, 2})));
}

TEST(Transformer, of_series_reads_no_further_than_their_lengths) {
  for (const auto pool : {ModelSpec::Pool::class_token, ModelSpec::Pool::mean, ModelSpec::Pool::flatten}) {
    ModelSpec spec = language();
    spec.kind = ModelSpec::Kind::series;
    spec.pool = pool;
    const Transformer model(spec, {.classes = 3, .tokens = 5, .dimensions = 2, .unequal = true});
    const auto weights = weights_of(model, 1);
    const Tensor series = at::arange(20, at::kDouble).view({2, 5, 2}) / 20;
    Tensor other = series.clone();
    other.narrow(1, 3, 2).fill_(-5);
    const Tensor scores = model.logits(weights, {series, {3, 3}}, {});
    EXPECT_EQ(scores.sizes(), at::IntArrayRef({2, 3}));
    EXPECT_TRUE(scores.equal(model.logits(weights, {other, {3, 3}}, {})));
  }
}

TEST(Transformer, refuses_what_does_not_fit) {
  ModelSpec spec = vision();
  spec.patch = 4;
  EXPECT_NE(message_of<std::invalid_argument>([&] { Transformer(spec, pictures); }).find("6 x 9"), std::string::npos);
  spec = language();
  spec.layers[0].attention.learned = {"colour"};
  EXPECT_NE(message_of<std::invalid_argument>([&] { Transformer(spec, alphabet); }).find("colour"), std::string::npos);
  spec = language();
  spec.layers[0].residual = {ResidualSpec::Kind::generalised, 1, false, 2};
  EXPECT_THROW(Transformer(spec, alphabet), std::invalid_argument);
}

}  // namespace
}  // namespace attest::models
