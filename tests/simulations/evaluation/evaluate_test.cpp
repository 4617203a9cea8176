#include "simulations/evaluation/evaluate.hpp"

#include <cmath>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulations/data/files/malformed_data.hpp"
#include "simulations/evaluation/attacks.hpp"
#include "simulations/evaluation/model_cost.hpp"
#include "simulations/evaluation/spsa.hpp"
#include "simulations/evaluation/word_swap.hpp"
#include "simulations/experiment/metric_names.hpp"
#include "simulations/measure/trained/attention_maps.hpp"
#include "simulations/measure/trained/layer_measures.hpp"
#include "tests/simulations/evaluation/small_models.hpp"
#include "tests/support/rounding.hpp"
#include "tests/support/scratch_folder.hpp"

namespace attest::evaluation {

using attention::Index;
using checkpoints::parameters_of;
using checkpoints::Trace;
using checkpoints::TrainedModel;
using checkpoints::Values;
using experiment::corrupted_metric;
using experiment::Experiment;
using experiment::parse_experiment;
using measure::attention_picture;
using measure::LayerMeasures;
using measure::mean_head_distance;
using measure::patch_attention;
using measure::Picture;
using models::ModelShape;
using models::ModelSpec;
using models::ParameterSpec;
using tasks::Task;
namespace {

using test_support::message_of;
using testing::HasSubstr;

EvaluationSpec attacks_spec() {
  EvaluationSpec spec;
  spec.examples = 40;
  spec.pgd_steps = 8;
  return spec;
}

std::vector<AttackResult> attacked(Attack kind, const std::vector<double>& radii, unsigned threads = 1) {
  const Task task = small::pictures();
  return attack(small::model(small::pictures_experiment(), 0, task), task, kind, radii, attacks_spec(), 3, threads);
}

TEST(Attack, raises_the_loss_with_the_radius_and_lowers_the_accuracy) {
  for (const Attack kind : {Attack::fgsm, Attack::pgd}) {
    const auto found = attacked(kind, {1, 4, 16});
    ASSERT_EQ(found.size(), 4U);
    EXPECT_TRUE(loss_rises(found));
    EXPECT_LE(found[3].accuracy, found[0].accuracy);
    EXPECT_EQ(found[0].zero_gradients, 0);
  }
}

TEST(Attack, by_many_steps_is_no_weaker_than_no_attack_at_any_radius) {
  const auto found = attacked(Attack::pgd, {0.01, 2});
  EXPECT_GE(found[1].loss, found[0].loss);
  EXPECT_GT(found[2].loss, found[1].loss);
}

TEST(Attack, gives_the_same_bits_on_any_threads) {
  const auto one = attacked(Attack::pgd, {2}, 1), three = attacked(Attack::pgd, {2}, 3);
  EXPECT_EQ(one[1].loss, three[1].loss);
}

TEST(Attack, says_where_gradients_vanish) {
  // A model whose weights are all zero does not see its pixels.
  const Task task = small::pictures();
  const Experiment e = small::pictures_experiment();
  Values zero;
  for (const ParameterSpec& parameter : parameters_of(e.variants[0].model, task.shape))
    zero.emplace_back(static_cast<std::size_t>(parameter.entries()));
  const auto found = attack({e.variants[0].model, task.shape, zero}, task, Attack::fgsm, {8}, attacks_spec(), 1, 1);
  EXPECT_EQ(found[0].zero_gradients, 1);
  EXPECT_FALSE(loss_rises(found));
}

TEST(Attack, without_gradients_beats_noise_of_its_norm_and_never_leaves_its_ball) {
  // One block of examples, so that the walk through them is short.
  Task task = small::pictures();
  EvaluationSpec spec = attacks_spec();
  spec.examples = 16;
  const TrainedModel model = small::model(small::pictures_experiment(), 0, task);
  const auto found = attack(model, task, Attack::spsa, {4, 16}, spec, 3, 1),
             noise = attack(model, task, Attack::noise, {4, 16}, spec, 3, 1);
  EXPECT_TRUE(loss_rises(found));
  for (const std::size_t budget : {std::size_t{1}, std::size_t{2}}) EXPECT_GT(found[budget].loss, noise[budget].loss);
  const Batch clean = task.batch(task.test, 0, 16);
  const Pixels pixels(task, clean);
  const std::vector<float> harmed = spsa(model, clean, pixels, 4, {.steps = 3, .samples = 2}, 3, 0);
  // A budget of 4/255 is 4/255/0.25 in standardised pixels; one rounding of the sum.
  for (std::size_t i = 0; i < harmed.size(); ++i)
    EXPECT_LE(std::abs(harmed[i] - clean.values[i]), 4 / 255.0 / 0.25 + 4 * tests::single_roundoff);
  EXPECT_EQ(harmed, spsa(model, clean, pixels, 4, {.steps = 3, .samples = 2}, 3, 0));
}

TEST(Attack, by_noise_moves_every_pixel_that_has_room_by_the_whole_budget) {
  const Task task = small::pictures();
  const TrainedModel model = small::model(small::pictures_experiment(), 0, task);
  const auto one = attack(model, task, Attack::noise, {8}, attacks_spec(), 3, 1),
             other = attack(model, task, Attack::noise, {8}, attacks_spec(), 4, 1);
  EXPECT_NE(one[1].loss, one[0].loss);
  EXPECT_NE(one[1].loss, other[1].loss);
}

TEST(CorruptionErrors, are_shares_of_wrong_answers_and_means_of_each_other) {
  // Eight pixels a side is the least that can be corrupted.
  Task task = small::pictures();
  task.shape.rows = task.shape.columns = 8;
  data::LabelledImages& images = task.test.images;
  images.rows = images.columns = 8;
  images.count = 10;
  const Experiment e =
      small::pictures_experiment("[evaluation]\nexamples = 10\ncorruptions = [\"fog\", \"contrast\"]\n");
  const journal::Results found = evaluate(small::model(e, 0, task), task, e.evaluation, 1, 1);
  double kinds = 0, severities = 0;
  for (const char* kind : {"fog", "contrast"}) kinds += found.at(corrupted_metric(kind)) / 2;
  for (int severity = 1; severity <= 5; ++severity) severities += found.at(corrupted_metric(severity)) / 5;
  // Sums of at most ten shares in another order.
  EXPECT_NEAR(found.at("corrupted_error"), kinds, 20 * tests::unit_roundoff);
  EXPECT_NEAR(found.at("corrupted_error"), severities, 20 * tests::unit_roundoff);
  const double wrong = found.at("uncorrupted_error") * 10;
  // A share of ten, its difference from 1, and ten times that: three roundings of at most 10.
  EXPECT_NEAR(wrong, std::round(wrong), 3 * 10 * tests::unit_roundoff);
}

TEST(CorruptionErrors, come_from_published_images_where_there_are_some) {
  Task task = small::pictures();
  task.corrupted = "/nowhere";
  const Experiment e = small::pictures_experiment("[evaluation]\ncorruptions = [\"fog\"]\n");
  EXPECT_THAT(message_of<data::MalformedData>([&] { evaluate(small::model(e, 0, task), task, e.evaluation, 1, 1); }),
              HasSubstr("/nowhere/fog.npy: cannot be opened"));
}

TEST(LossRises, wants_a_loss_that_never_falls) {
  EXPECT_TRUE(loss_rises({{0, 1, 1, 0}, {1, 2, 1, 0}}));
  EXPECT_FALSE(loss_rises({{0, 1, 1, 0}, {1, 2, 1, 0}, {2, 1.5, 1, 0}}));
  EXPECT_FALSE(loss_rises({{0, 1, 1, 0}, {1, 1, 1, 0}}));
  EXPECT_FALSE(loss_rises({{0, 1, 1, 0}}));
}

TEST(SwappedWords, replaces_words_and_nothing_else) {
  EXPECT_EQ(with_swapped_words("in 12 words, <unk> \xc3\xa9t\xc3\xa9.", 1, 7), "AAA 12 AAA, <unk> AAA.");
  EXPECT_EQ(with_swapped_words("as it is", 0, 7), "as it is");
}

TEST(SwappedWords, replaces_the_share_asked_for) {
  std::string text;
  for (int i = 0; i < 4000; ++i) text += "word ";
  const std::string swapped = with_swapped_words(text, 0.25, 7);
  int count = 0;
  for (std::size_t at = swapped.find("AAA"); at != std::string::npos; at = swapped.find("AAA", at + 1)) ++count;
  // Binomial(4000, 0.25) is within six standard deviations but once in 5e8.
  EXPECT_NEAR(count, 4000 * 0.25, 6 * std::sqrt(4000 * 0.25 * 0.75));
}

TEST(LayerMeasures, are_exact_where_tokens_are_equal_or_heads_apart) {
  Eigen::MatrixXd mixed(2, 4);
  mixed << 0, 0, 3, 4, 1, 1, 1, 1;
  EXPECT_DOUBLE_EQ(mean_head_distance(mixed, 2), 2.5);
  EXPECT_DOUBLE_EQ(mean_head_distance(mixed, 1), 0);
}

TEST(ModelCost, counts_multiply_accumulates_as_two_flops) {
  const ModelSpec spec = small::pictures_experiment().variants[0].model;  // width 8, feedforward 32, two layers
  EXPECT_EQ(counted_cost(spec, 5).product_flops, 2 * 2 * 5 * (4 * 8 * 8 + 2 * 8 * 32));
  const ModelSpec twice = small::pictures_experiment().variants[1].model;
  EXPECT_GT(counted_cost(twice, 5).attention_flops, counted_cost(spec, 5).attention_flops);
}

TEST(Evaluate, gives_a_metric_for_everything_asked) {
  const Task task = small::pictures();
  const Experiment e = small::pictures_experiment(
      "[evaluation]\nexamples = 20\nfgsm = [2]\npgd = [2]\npgd_steps = 2\nmeasures = [\"tokens\", \"heads\", "
      "\"cost\"]\n");
  const journal::Results found = evaluate(small::model(e, 1, task), task, e.evaluation, 1, 2);
  for (const char* metric : {"fgsm_0_accuracy", "fgsm_2_loss", "pgd_2_accuracy", "pgd_loss_rises",
                             "fgsm_zero_gradients", "token_cosine_layer_0", "token_cosine_layer_2",
                             "head_distance_layer_1", "attention_flops", "example_seconds", "process_peak_bytes"})
    EXPECT_TRUE(found.contains(metric)) << metric;
  EXPECT_EQ(found.at("fgsm_0_loss"), found.at("pgd_0_loss"));
}

TEST(Evaluate, makes_swapped_words_harder_to_read) {
  const Task task = small::words();
  const Experiment e = small::words_experiment("[evaluation]\nswapped_words = 0.5\nexamples = 30\n");
  const journal::Results found = evaluate(small::model(e, 0, task), task, e.evaluation, 1, 1);
  EXPECT_GT(found.at("words_clean_perplexity"), 1);
  EXPECT_NE(found.at("words_swapped_perplexity"), found.at("words_clean_perplexity"));
}

/// Texts of the two words of their class, and of one that both have.
Task reviews(data::TokenVocabulary vocabulary) {
  Task task;
  task.kind = ModelSpec::Kind::sequence;
  task.vocabulary = std::move(vocabulary);
  task.shape.vocabulary = static_cast<Index>(task.vocabulary.tokens.size());
  task.shape.classes = 2;
  task.shape.tokens = 30;
  task.shape.unequal = true;
  for (const char* text : {"good film", "bad film", "good good", "bad , bad film"}) {
    task.test.sequences.push_back(task.vocabulary.encode(text, "text"));
    task.test.labels.push_back(text[0] == 'b' ? 0 : 1);
  }
  return task;
}

TEST(SwappedPart, keeps_classes_and_everything_but_words) {
  for (const data::TokenVocabulary& vocabulary : {data::word_vocabulary("good bad film ,"), data::byte_vocabulary()}) {
    const Task task = reviews(vocabulary);
    const Part swapped = swapped_part(task, task.test, 4, 1, 7);
    EXPECT_EQ(swapped.labels, task.test.labels);
    EXPECT_EQ(task.vocabulary.decode(swapped.sequences[3]),
              vocabulary.unknown < 0 ? "AAA , AAA AAA" : "<unk> , <unk> <unk>");
    EXPECT_EQ(swapped_part(task, task.test, 4, 0, 7).sequences, task.test.sequences);
  }
}

TEST(SwappedPart, cuts_what_the_model_has_no_place_for) {
  Task task = reviews(data::byte_vocabulary());
  task.shape.tokens = 10;
  task.test.sequences.resize(1);
  task.test.sequences[0] = task.vocabulary.encode("a b c d e", "text");
  EXPECT_EQ(task.vocabulary.decode(swapped_part(task, task.test, 1, 1, 7).sequences[0]), "AAA AAA AA");
}

TEST(Evaluate, gives_the_accuracy_on_texts_with_swapped_words) {
  const Task task = reviews(data::byte_vocabulary());
  const Experiment e = parse_experiment(
      "[data]\nname = \"none\"\n[model]\nkind = \"sequence\"\nlayers = 1\nheads = 2\nwidth = 8\n[[variant]]\nname = "
      "\"softmax\"\n[evaluation]\nswapped_words = 1\n",
      "small.toml", {});
  const journal::Results found = evaluate(small::model(e, 0, task), task, e.evaluation, 1, 1);
  EXPECT_GE(found.at("words_clean_accuracy"), 0);
  EXPECT_LE(found.at("words_swapped_accuracy"), 1);
  EXPECT_NE(found.at("words_swapped_loss"), found.at("words_clean_loss"));
}

TEST(RequireEvaluable, wants_tokens_that_can_spell_a_swapped_word) {
  const Experiment e = small::words_experiment("[evaluation]\nswapped_words = 0.1\n");
  EXPECT_NO_THROW(require_evaluable(e, reviews(data::byte_vocabulary())));
  EXPECT_THAT(message_of<std::invalid_argument>(
                  [&] { require_evaluable(e, reviews(data::character_vocabulary("good film, bad"))); }),
              HasSubstr("turns words into \"AAA\", which the tokens of none cannot spell"));
}

/// A picture of 4 x 4 pixels in four patches, of which the last has all attention.
TEST(AttentionPicture, is_warm_where_the_attention_is) {
  const std::vector<std::uint8_t> black(16, 0);
  ModelShape shape;
  shape.rows = shape.columns = 4;
  const Picture picture = attention_picture(black, shape, 2, {0, 0, 0, 1}, 1);
  ASSERT_EQ(picture.columns, 9);
  const auto pixel = [&](Index row, Index column, Index k) {
    return static_cast<int>(picture.pixels[static_cast<std::size_t>((row * 9 + column) * 3 + k)]);
  };
  EXPECT_EQ(pixel(3, 3, 0), 0);    // the image itself
  EXPECT_EQ(pixel(0, 4, 1), 255);  // between the two
  EXPECT_GT(pixel(3, 8, 0), pixel(3, 8, 2));
  EXPECT_LT(pixel(0, 5, 0), pixel(0, 5, 2));
  EXPECT_EQ(png_bytes(picture).substr(1, 3), "PNG");
}

TEST(PatchAttention, of_softmax_sums_to_what_the_class_token_leaves) {
  const Task task = small::pictures();
  const TrainedModel model = small::model(small::pictures_experiment(), 0, task);
  const Trace trace = model.trace(task.batch(task.test, 0, 1), true);
  const std::vector<double> taken = patch_attention(model, trace.layers.back(), 0);
  ASSERT_EQ(taken.size(), 4U);
  double sum = 0, itself = 0;
  for (const double one : taken) sum += one;
  for (Index h = 0; h < 2; ++h) itself += static_cast<double>(trace.layers.back().matrix.at(0, h, 0, 0)) / 2;
  // Four additions in the normaliser, a division a weight.
  constexpr double rounding = 5 * tests::single_roundoff;
  EXPECT_NEAR(sum + itself, 1, rounding);
}

TEST(RequireEvaluable, names_what_the_kind_of_model_has_not) {
  EXPECT_THAT(message_of<std::invalid_argument>(
                  [] { require_evaluable(small::words_experiment("[evaluation]\nfgsm = [1]\n")); }),
              HasSubstr("evaluation.fgsm is for vision models only"));
  EXPECT_THAT(message_of<std::invalid_argument>(
                  [] { require_evaluable(small::pictures_experiment("[evaluation]\nswapped_words = 0.1\n")); }),
              HasSubstr("evaluation.swapped_words is for language and sequence models only"));
  EXPECT_NO_THROW(require_evaluable(small::words_experiment("[evaluation]\nmeasures = [\"tokens\"]\n")));
}

}  // namespace
}  // namespace attest::evaluation
