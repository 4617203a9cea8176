// Small untrained models with small tasks, for the tests of evaluations.
#pragma once

#include <cmath>

#include "kernels/random/stream.hpp"
#include "simulations/checkpoints/trained_model.hpp"
#include "simulations/experiment/read_experiment.hpp"

namespace attest::evaluation::small {

using attention::Index;
using checkpoints::parameters_of;
using checkpoints::TrainedModel;
using checkpoints::Values;
using experiment::Experiment;
using experiment::parse_experiment;
using models::ModelSpec;
using models::ParameterSpec;
using tasks::Task;

/// As many variants as the text names, of a vision model with two layers.
inline Experiment pictures_experiment(const std::string& more = "") {
  return parse_experiment(
      "[data]\nname = \"none\"\n[model]\nkind = \"vision\"\nlayers = 2\nheads = 2\nwidth = 8\npatch = 2\n"
      "deviation = 0.5\n[[variant]]\nname = \"softmax\"\n[[variant]]\nname = \"twicing\"\nattention = \"twicing\"\n" +
          more,
      "small.toml", {});
}

inline Experiment words_experiment(const std::string& more = "") {
  return parse_experiment(
      "[data]\nname = \"none\"\n[model]\nkind = \"language\"\nlayers = 2\nheads = 2\nwidth = 8\ncontext = 8\n"
      "deviation = 0.5\n[[variant]]\nname = \"softmax\"\n" +
          more,
      "small.toml", {});
}

/// Forty random pictures of 4 x 4 pixels in three classes, all of them the test part.
inline Task pictures() {
  Task task;
  task.kind = ModelSpec::Kind::vision;
  task.shape.classes = 3;
  task.shape.rows = task.shape.columns = 4;
  task.channels = {{0.5, 0.25}};
  data::LabelledImages& images = task.test.images;
  images.count = 40;
  images.rows = images.columns = 4;
  random::Stream stream(1, 2, 3);
  for (int i = 0; i < 40 * 16; ++i) images.pixels.push_back(static_cast<std::uint8_t>(stream.integer(256)));
  for (int i = 0; i < 40; ++i) images.labels.push_back(i % 3);
  return task;
}

/// A text of words.
inline Task words() {
  Task task;
  task.kind = ModelSpec::Kind::language;
  task.context = 8;
  std::string text;
  for (int i = 0; i < 40; ++i) text += "the quick brown fox, A lazy dog. ";
  task.vocabulary = data::character_vocabulary(text);
  task.shape.classes = static_cast<Index>(task.vocabulary.tokens.size());
  task.test.tokens = task.vocabulary.encode(text, "text");
  return task;
}

/// A variant of the experiment as training would begin it.
inline TrainedModel model(const Experiment& experiment, std::size_t variant, const Task& task, std::uint64_t seed = 5) {
  const ModelSpec& spec = experiment.variants.at(variant).model;
  Values weights;
  for (const ParameterSpec& parameter : parameters_of(spec, task.shape))
    weights.push_back(initial_values(parameter, seed));
  return {spec, task.shape, std::move(weights)};
}

}  // namespace attest::evaluation::small
