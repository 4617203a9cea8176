#include "simulations/checkpoints/trained_model.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

#include "simulations/experiment/read_experiment.hpp"
#include "tests/support/rounding.hpp"
#include "tests/support/scratch_folder.hpp"

namespace attest::checkpoints {

using experiment::parse_experiment;
namespace {

using test_support::ScratchFolder;

constexpr const char* spec = R"(
[data]
name = "none"
[model]
kind = "vision"
layers = 2
heads = 2
width = 8
patch = 2
deviation = 0.3
[[variant]]
name = "twicing"
attention = "twicing"
)";
constexpr ModelShape shape{3, 4, 4, 1};

Experiment experiment() { return parse_experiment(spec, "spec.toml", {}); }

/// Two pictures and their classes.
Batch pictures() {
  Batch batch;
  batch.count = 2;
  for (int i = 0; i < 32; ++i) batch.values.push_back(static_cast<float>(std::sin(i)));
  batch.answers = {2, 0};
  return batch;
}

/// A model as training would begin it, saved and loaded again.
LoadedModel model(const ScratchFolder& folder) {
  const Experiment e = experiment();
  const std::vector<ParameterSpec> parameters = parameters_of(e.variants.front().model, shape);
  Values weights;
  for (const ParameterSpec& parameter : parameters) weights.push_back(initial_values(parameter, 5));
  const auto file = folder.path() / "twicing-seed-5.safetensors";
  write_weights(file, parameters, weights, {e.canonical, "twicing", 5, shape});
  return load_model(file);
}

TEST(TrainedModel, is_built_from_its_file_alone) {
  const ScratchFolder folder;
  const LoadedModel loaded = model(folder);
  EXPECT_EQ(loaded.variant, "twicing");
  EXPECT_EQ(loaded.seed, 5U);
  EXPECT_EQ(loaded.model.spec(), experiment().variants.front().model);
  EXPECT_EQ(loaded.model.shape(), shape);
  EXPECT_EQ(loaded.model.scores(pictures()).shape(), (attention::Shape{2, 3}));
}

/// Central differences D(h): their error is a third of D(2h) - D(h) and a term of order h^4, for which thrice as much
/// is allowed, and what rounds in the function, some 16 units of numbers of order 1, over h. That this is little says
/// that the differences are good for something.
template <typename Function>
void expect_derivative(double derivative, const Function& at) {
  constexpr float h = 0x1p-6F;
  const auto difference = [&](float step) { return (at(step) - at(-step)) / (2 * static_cast<double>(step)); };
  const double near = difference(h), truncation = std::abs(difference(2 * h) - near);
  constexpr double rounding = 16 * tests::single_roundoff / h, little = 1e-3;
  EXPECT_NEAR(derivative, near, truncation + rounding);
  EXPECT_LE(truncation + rounding, little);
}

TEST(TrainedModel, gives_the_gradient_of_each_loss_by_its_pixels) {
  const ScratchFolder folder;
  const TrainedModel trained = model(folder).model;
  const InputGradient found = trained.input_gradient(pictures());
  ASSERT_EQ(found.gradient.shape(), (attention::Shape{2, 1, 4, 4}));
  for (std::size_t i = 0; i < 32; i += 5) {
    const auto loss = [&](float step) {
      Batch moved = pictures();
      moved.values[i] += step;
      return trained.input_gradient(moved).losses[i / 16];
    };
    expect_derivative(found.gradient.values()[i], loss);
  }
}

TEST(TrainedModel, traces_every_layer) {
  const ScratchFolder folder;
  const TrainedModel trained = model(folder).model;
  const Trace trace = trained.trace(pictures(), true);
  ASSERT_EQ(trace.layers.size(), 2U);
  EXPECT_EQ(trace.scores, trained.scores(pictures()));
  EXPECT_EQ(trace.layers[0].input, trained.embedded(pictures()));
  EXPECT_EQ(trace.layers[1].input, trace.layers[0].output);
  EXPECT_EQ(trace.layers[1].output, trained.propagated(trace.layers[0].input, 2));
  const LayerTrace& layer = trace.layers[1];
  ASSERT_EQ(layer.matrix.shape(), (attention::Shape{2, 2, 5, 5}));
  // Row 3 of head 1 of example 1, applied to the values, is what that head gives to token 3; rows of 2A - A^2 sum to 1.
  // Three averages of five values, each with eight roundings of weights whose sizes add up to at most 3.
  float largest = 1;
  for (const float value : layer.values.values()) largest = std::max(largest, std::abs(value));
  const double tolerance = 3 * 8 * 3 * tests::single_roundoff * static_cast<double>(largest);
  for (Index d = 0; d < 4; ++d) {
    double mixed = 0, sum = 0;
    for (Index j = 0; j < 5; ++j) {
      mixed += static_cast<double>(layer.matrix.at(1, 1, 3, j)) * static_cast<double>(layer.values.at(1, 1, j, d));
      sum += static_cast<double>(layer.matrix.at(1, 1, 3, j));
    }
    EXPECT_NEAR(mixed, layer.mixed.values()[static_cast<std::size_t>((5 + 3) * 8 + 4 + d)], tolerance);
    EXPECT_NEAR(sum, 1, tolerance);
  }
}

TEST(TrainedModel, pulls_a_vector_back_through_its_layers) {
  const ScratchFolder folder;
  const TrainedModel trained = model(folder).model;
  const FloatTensor embedded = trained.embedded(pictures());
  FloatTensor cotangent(embedded.shape());
  cotangent.values()[17] = 1;
  expect_derivative(trained.pulled_back(embedded, 1, cotangent).values()[3], [&](float step) {
    FloatTensor moved = embedded;
    moved.values()[3] += step;
    return static_cast<double>(trained.propagated(moved, 1).values()[17]);
  });
}

TEST(TrainedModel, refuses_weights_of_another_model) {
  EXPECT_THROW(TrainedModel(experiment().variants.front().model, shape, {{1.0F}}), std::invalid_argument);
}

}  // namespace
}  // namespace attest::checkpoints
