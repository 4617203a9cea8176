// Each gate lets a sound model through and stops one with a planted failure.
#include "simulations/training/gates.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

#include "simulations/models/switch_layer.hpp"
#include "simulations/skills/skill.hpp"
#include "tests/support/scratch_folder.hpp"

namespace attest::training {

using models::LayerSpec;
using models::ModelSpec;
using models::switch_layer;
using skills::skill_of_data;
using skills::skill_tokens;
using tasks::TokenExamples;
namespace {

using test_support::message_of;

Task text() {
  Task task;
  task.context = 8;
  task.shape.classes = 5;
  for (int i = 0; i < 200; ++i) task.train.tokens.push_back(i * i % 5);
  task.validation.tokens = task.train.tokens;
  return task;
}

VariantSpec variant(const std::string& mechanism) {
  VariantSpec one{mechanism, {}, 0};
  one.model.width = 16;
  one.model.heads = 2;
  one.model.feedforward = 32;
  one.model.context = 8;
  one.model.layers.resize(2);
  for (LayerSpec& layer : one.model.layers) layer.attention.mechanism = mechanism;
  return one;
}

TEST(Causality, holds_for_every_mechanism_that_a_language_model_takes) {
  for (const char* name : {"softmax", "twicing", "linear", "attention-bn", "sparse", "graph-diffusion", "neutreno"})
    EXPECT_NO_THROW(require_causal(variant(name), {}, text())) << name;
}

/// Scores that read their own token, and at position `at` also the one `ahead` of it.
ScoresOf leaking(Index at, Index ahead, double size) {
  return [=](const std::vector<std::int64_t>& tokens) {
    at::Tensor scores = at::zeros({static_cast<Index>(tokens.size()), 3});
    for (std::size_t i = 0; i < tokens.size(); ++i) scores[static_cast<Index>(i)][0] = static_cast<double>(tokens[i]);
    const auto seen = static_cast<std::size_t>(at + ahead);
    if (seen < tokens.size()) scores[at][1] = size * static_cast<double>(tokens[seen]);
    return scores;
  };
}

TEST(Causality, names_the_position_that_sees_a_later_one) {
  for (const Index ahead : {1, 3}) {
    const std::string sentence =
        message_of<std::invalid_argument>([&] { require_causal("leaky", leaking(4, ahead, 0.1), 12, 7); });
    EXPECT_NE(sentence.find("leaky leaks: its answer at position 4"), std::string::npos) << sentence;
  }
  EXPECT_NO_THROW(require_causal("sound", leaking(4, 0, 0.1), 12, 7));
  // What float32 rounds is not a leak.
  EXPECT_NO_THROW(require_causal("rounded", leaking(4, 1, 1e-6), 12, 7));
}

TEST(Causality, holds_for_experts_as_they_are_evaluated_and_as_they_are_trained) {
  VariantSpec experts = variant("softmax");
  for (LayerSpec& layer : experts.model.layers)
    layer.experts = {.count = 3, .capacity = 0.5, .evaluation_capacity = 0.8};
  EXPECT_NO_THROW(require_causal(experts, {}, text()));
}

TEST(Causality, is_broken_by_sequences_that_compete_for_experts) {
  // Two experts, one for each of two tokens; a dropped token gives 0. Beside itself a sequence of eleven asks one of
  // them for twelve or more of its eleven rooms, beside its opposite both for eleven.
  const at::Tensor router = at::tensor({1.0, -1.0}, at::kDouble).view({2, 1}), widen = at::ones({2, 1, 1}, at::kDouble),
                   bias = at::zeros({2, 1}, at::kDouble);
  const auto competing = [&](Index group) {
    return [&, group](const std::vector<std::int64_t>& tokens) {
      const at::Tensor x = at::tensor(tokens, at::kLong).to(at::kDouble).unsqueeze(1) - 0.5;
      return switch_layer(x, {router, widen, bias, widen, bias}, {.group = group, .room = group / 2}).output;
    };
  };
  EXPECT_NO_THROW(require_own("apart", competing(11), 11, 2));
  const std::string sentence =
      message_of<std::invalid_argument>([&] { require_own("together", competing(22), 11, 2); });
  EXPECT_NE(sentence.find("together leaks: its answer at position"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("with the other sequences of the batch"), std::string::npos) << sentence;
}

TEST(FairStart, lies_near_the_logarithm_of_the_classes) {
  const StartLoss start = require_fair_start(variant("softmax"), {}, text(), 1);
  EXPECT_DOUBLE_EQ(start.of_guessing, std::log(5.0));
  // Scores of variance v cost v/2 nats on average; a fifth is far above a start's, and far below the half that is
  // refused.
  constexpr double of_small_scores = 0.2 / 2;
  EXPECT_NEAR(start.loss, start.of_guessing, of_small_scores);
}

TEST(FairStart, stops_scores_that_are_too_large) {
  VariantSpec loud = variant("softmax");
  loud.model.deviation = 3;
  const std::string sentence = message_of<std::invalid_argument>([&] { require_fair_start(loud, {}, text(), 1); });
  EXPECT_NE(sentence.find("too large before the first step"), std::string::npos) << sentence;
}

TEST(FairStart, stops_a_model_that_knows_the_answers) {
  // Scores are products with the embedding, which is large: a token that follows itself is predicted at once.
  Task repeated = text();
  std::fill(repeated.train.tokens.begin(), repeated.train.tokens.end(), 1);
  VariantSpec knowing = variant("softmax");
  knowing.model.deviation = 0.3;
  knowing.model.layers.resize(1);
  const std::string sentence = message_of<std::invalid_argument>([&] { require_fair_start(knowing, {}, repeated, 2); });
  EXPECT_NE(sentence.find("nobody taught it"), std::string::npos) << sentence;
}

TEST(Overfit, comes_down_on_a_batch) {
  const Overfit found = require_overfit(variant("softmax"), {}, text(), 1);
  EXPECT_LE(found.to, 0.7 * found.from);
  EXPECT_GT(found.steps, 0);
}

TEST(Overfit, stops_at_examples_that_contradict_each_other) {
  // One sequence with both answers: no model falls below log 2.
  Task torn = draw_skill(*skill_of_data("short-listops-generated"), 2, 1, 1).task;
  TokenExamples& train = torn.train.per_token;
  torn.shape.classes = 2;
  std::copy(train.tokens.begin(), train.tokens.begin() + skill_tokens, train.tokens.begin() + skill_tokens);
  train.answers[0] = 0;
  train.answers[static_cast<std::size_t>(skill_tokens)] = 1;
  VariantSpec one = variant("softmax");
  one.model.kind = ModelSpec::Kind::sequence;
  const std::string sentence = message_of<std::invalid_argument>([&] { require_overfit(one, {}, torn, 1); });
  EXPECT_NE(sentence.find("cannot overfit 2 examples"), std::string::npos) << sentence;
}

TEST(Gates, say_how_many_parameters_differ) {
  Experiment e;
  e.variants = {variant("softmax"), variant("attention-bn")};
  e.variants[1].model.layers[0].attention.learned = {"beta"};
  e.comparison.baseline = "softmax";
  const std::vector<std::string> sentences = pass_gates(e, text());
  EXPECT_EQ(sentences[0].find("(+"), std::string::npos) << sentences[0];
  EXPECT_NE(sentences[1].find("(+2 to softmax"), std::string::npos) << sentences[1];  // one beta a head
  e.training.gates = false;
  EXPECT_NE(pass_gates(e, text())[0].find("gates left out"), std::string::npos);
}

}  // namespace
}  // namespace attest::training
