// Two copies of one variant with different seeds, really trained: how often they are called different.
#include <cmath>

#include <gtest/gtest.h>

#include "simulations/outcomes/comparison.hpp"
#include "simulations/training/trainer.hpp"

namespace attest::training {

using outcomes::compare;

namespace {

/// Letters of which each is the one before it or the next, by a generator: what can be learnt has an end.
Task noisy_circle() {
  Task task;
  task.context = 4;
  task.shape.classes = 3;
  std::uint32_t state = 1, letter = 0;
  for (int i = 0; i < 600; ++i) {
    state = state * 1664525U + 1013904223U;
    letter = (letter + (state >> 31U)) % 3;
    (i < 400 ? task.train : task.validation).tokens.push_back(static_cast<std::int32_t>(letter));
  }
  return task;
}

double validation_loss(const Task& task, std::uint64_t seed) {
  ModelSpec model;
  model.width = 4;
  model.heads = 1;
  model.feedforward = 4;
  model.context = 4;
  model.layers.resize(1);
  TrainingSpec training;
  training.batch = 4;
  training.learning_rate = 0.02;
  training.schedule = TrainingSpec::Schedule::constant;
  Trainer trainer(model, training, task, seed, 1);
  for (int s = 0; s < 12; ++s) trainer.step();
  return trainer.evaluate(task.validation).loss;
}

TEST(TrainedTwice, a_variant_is_called_different_from_itself_at_no_more_than_the_stated_rate) {
  constexpr int experiments = 60, seeds = 6;  // the fewest with which a verdict is possible at this level
  constexpr double level = 0.1;
  const Task task = noisy_circle();
  int called = 0;
  bool differ = false;
  for (std::uint64_t e = 0; e < experiments; ++e) {
    std::vector<double> first, second;
    for (std::uint64_t s = 0; s < seeds; ++s) {
      first.push_back(validation_loss(task, 1 + e * seeds + s));
      second.push_back(validation_loss(task, 100001 + e * seeds + s));  // the other copy's seed_offset
      differ |= first.back() != second.back();
    }
    called += compare(first, second, {.level = level}).verdict != "undecided" ? 1 : 0;
  }
  EXPECT_TRUE(differ);
  // Three standard deviations of the count above its largest admissible mean.
  EXPECT_LE(called, experiments * level + 3 * std::sqrt(experiments * level * (1 - level)));
}

}  // namespace
}  // namespace attest::training
