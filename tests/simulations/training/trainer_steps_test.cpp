// What one step does with a batch: parts, shards, clipping.
#include <cmath>

#include <gtest/gtest.h>

#include "simulations/training/trainer.hpp"
#include "tests/simulations/training/small_trainings.hpp"

namespace attest::training {
namespace {

/// Eight pictures of two kinds.
Task pictures() {
  Task task;
  task.kind = ModelSpec::Kind::vision;
  task.shape = {2, 2, 2, 1};
  task.channels = {{0.5, 0.5}};
  task.train.images = {8, 1, 2, 2, {}, {}, data::numbered_labels(2)};
  for (int i = 0; i < 32; ++i) task.train.images.pixels.push_back(static_cast<std::uint8_t>(i * 37 % 256));
  for (int i = 0; i < 8; ++i) task.train.images.labels.push_back(i % 2);
  task.validation = task.train;
  return task;
}

/// An update that is nearly the gradient times the rate: the second moment hardly counts beside an epsilon of 1.
TrainingSpec plain_steps() {
  TrainingSpec training;
  training.batch = 8;
  training.learning_rate = 0.1;
  training.schedule = TrainingSpec::Schedule::constant;
  training.epsilon = 1;
  return training;
}

Values after(const Task& task, const TrainingSpec& training, int steps) {
  ModelSpec model = small_model();
  model.kind = ModelSpec::Kind::vision;
  model.patch = 1;
  model.dropout = 0;
  Trainer trainer(model, training, task, 3, 1);
  for (int s = 0; s < steps; ++s) trainer.step();
  return trainer.state().weights;
}

TEST(Trainer, takes_a_batch_in_parts_or_shards_to_the_same_weights) {
  const Task task = pictures();
  TrainingSpec parts = plain_steps(), shards = plain_steps();
  parts.batch = 2;
  parts.accumulate = 4;
  shards.shards = 4;
  const Values whole = after(task, plain_steps(), 3);
  // Sums of the same numbers in another order: a few roundings of gradients below 1, times the rate.
  constexpr double tolerance = 1e-6;
  EXPECT_LE(largest_difference(after(task, parts, 3), whole), tolerance);
  EXPECT_LE(largest_difference(after(task, shards, 3), whole), tolerance);
  EXPECT_GT(largest_difference(after(task, plain_steps(), 2), whole), 100 * tolerance);
}

TEST(Trainer, moves_no_further_than_the_clipped_gradient) {
  const Task task = pictures();
  TrainingSpec clipped = plain_steps();
  clipped.clip = 0.01;
  const Values before = after(task, clipped, 0), moved = after(task, clipped, 1);
  double squares = 0;
  for (std::size_t p = 0; p < moved.size(); ++p)
    for (std::size_t i = 0; i < moved[p].size(); ++i)
      squares += std::pow(static_cast<double>(moved[p][i]) - static_cast<double>(before[p][i]), 2);
  EXPECT_LE(std::sqrt(squares), clipped.learning_rate * clipped.clip * 1.001);  // weights round at 1e-7
  EXPECT_GT(std::sqrt(squares), 0.9 * clipped.learning_rate * clipped.clip);
}

}  // namespace
}  // namespace attest::training
