// Trainings of seconds, which tests share.
#pragma once

#include <algorithm>
#include <cmath>

#include "simulations/training/trainer.hpp"

namespace attest::training {

/// A text in which every letter says which one comes next.
inline Task circle() {
  Task task;
  task.context = 8;
  task.shape.classes = 4;
  for (int i = 0; i < 400; ++i) task.train.tokens.push_back(i % 4);
  task.validation.tokens.assign(task.train.tokens.begin(), task.train.tokens.begin() + 81);
  return task;
}

/// Two layers of two mechanisms, for a text of letters.
inline ModelSpec small_model() {
  ModelSpec model;
  model.width = 8;
  model.heads = 2;
  model.feedforward = 16;
  model.context = 8;
  model.dropout = 0.1;
  model.layers.resize(2);
  model.layers[1].attention.mechanism = "twicing";
  return model;
}

/// Sixty steps of batches in shards and parts.
inline TrainingSpec small_training() {
  TrainingSpec training;
  training.steps = 60;
  training.batch = 4;
  training.shards = 2;
  training.accumulate = 2;
  training.learning_rate = 0.02;
  return training;
}

/// The largest difference of two models' weights.
inline double largest_difference(const Values& a, const Values& b) {
  double largest = 0;
  for (std::size_t p = 0; p < a.size(); ++p)
    for (std::size_t i = 0; i < a[p].size(); ++i)
      largest = std::max(largest, std::abs(static_cast<double>(a[p][i]) - static_cast<double>(b[p][i])));
  return largest;
}

}  // namespace attest::training
