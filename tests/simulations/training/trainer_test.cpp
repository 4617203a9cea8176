#include "simulations/training/trainer.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>

#include <gtest/gtest.h>

#include "simulations/training/devices.hpp"
#include "tests/support/scratch_folder.hpp"

namespace attest::training {
namespace {

using test_support::message_of;

/// A text in which every letter says which one comes next.
Task circle() {
  Task task;
  task.context = 8;
  task.shape.classes = 4;
  for (int i = 0; i < 400; ++i) task.train.tokens.push_back(i % 4);
  task.validation.tokens.assign(task.train.tokens.begin(), task.train.tokens.begin() + 81);
  return task;
}

ModelSpec small_model() {
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

TrainingSpec small_training() {
  TrainingSpec training;
  training.steps = 60;
  training.batch = 4;
  training.shards = 2;
  training.accumulate = 2;
  training.learning_rate = 0.02;
  return training;
}

Values trained(unsigned threads, Index steps) {
  const Task task = circle();
  Trainer trainer(small_model(), small_training(), task, 3, threads);
  for (Index s = 0; s < steps; ++s) trainer.step();
  return trainer.state().weights;
}

TEST(Trainer, learns_a_text_that_can_be_foretold) {
  const Task task = circle();
  Trainer trainer(small_model(), small_training(), task, 3, 1);
  const double before = trainer.evaluate(task.validation).loss;
  for (Index s = 0; s < 60; ++s) trainer.step();
  const Scores after = trainer.evaluate(task.validation);
  EXPECT_GT(before, 1.2);  // log 4 = 1.386 is what knowing nothing gives
  EXPECT_LT(after.loss, 0.3);
  EXPECT_GT(after.accuracy, 0.95);
}

TEST(Trainer, gives_the_same_bits_for_any_number_of_threads) { EXPECT_EQ(trained(1, 12), trained(3, 12)); }

Values trained_as(const std::function<void(TrainingSpec&)>& change, double* loss = nullptr) {
  const Task task = circle();
  ModelSpec model = small_model();
  model.dropout = 0;  // the ways differ in its patterns
  TrainingSpec training = small_training();
  change(training);
  Trainer trainer(model, training, task, 3, 1);
  for (Index s = 0; s < 20; ++s) trainer.step();
  if (loss != nullptr) *loss = trainer.evaluate(task.validation).loss;
  return trainer.state().weights;
}

TEST(Trainer, comes_to_the_same_weights_by_operations_as_by_kernels) {
  const Values kernels = trained_as([](TrainingSpec&) {});
  const Values operations = trained_as([](TrainingSpec& training) { training.operations = true; });
  // Twenty steps of at most 0.02 each along gradients that agree to 1e-5; Adam turns what is relative in a gradient
  // into what is relative in a step, so that small gradients count too.
  constexpr double within = 0.01;
  for (std::size_t p = 0; p < kernels.size(); ++p)
    for (std::size_t i = 0; i < kernels[p].size(); ++i) EXPECT_NEAR(kernels[p][i], operations[p][i], within) << p;
}

TEST(Trainer, learns_in_bfloat16_with_weights_in_float32) {
  double exact = 0, rounded = 0;
  trained_as([](TrainingSpec&) {}, &exact);
  const auto halved = [](TrainingSpec& training) {
    training.operations = true;
    training.precision = TrainingSpec::Precision::bfloat16;
  };
  const Values weights = trained_as(halved, &rounded);
  EXPECT_EQ(weights, trained_as(halved));
  // 8 bits of every product: the loss is off by some percent of log 4, its start.
  EXPECT_NEAR(rounded, exact, 0.15);
  const bool beyond_8_bits = std::any_of(weights[0].begin(), weights[0].end(), [](float weight) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &weight, sizeof bits);
    return (bits & 0xFFFFU) != 0;
  });
  EXPECT_TRUE(beyond_8_bits) << "the weights themselves are rounded";
}

TEST(Trainer, refuses_options_that_a_mechanism_does_not_have_before_the_first_step) {
  const Task task = circle();
  ModelSpec model = small_model();
  model.layers[0].attention.settings = {{"colour", "red"}};
  for (const bool operations : {false, true}) {
    TrainingSpec training = small_training();
    training.operations = operations;
    const Trainer trainer(model, training, task, 3, 1);
    EXPECT_NE(message_of<std::invalid_argument>([&] { trainer.try_out(); }).find("colour"), std::string::npos);
  }
}

TEST(RequireDevice, says_where_a_device_would_come_from) {
  TrainingSpec training;
  EXPECT_NO_THROW(require_device(training));
  training.device = TrainingSpec::Device::cuda;
  if (at::hasCUDA()) GTEST_SKIP() << "there is a CUDA device";
  EXPECT_NE(message_of<std::runtime_error>([&] { require_device(training); }).find("of a CUDA build"),
            std::string::npos);
}

TEST(Trainer, goes_on_from_a_checkpoint_as_if_it_had_never_stopped) {
  const test_support::ScratchFolder folder;
  const auto file = folder.path() / "state.safetensors";
  const Task task = circle();
  Trainer first(small_model(), small_training(), task, 3, 1);
  for (Index s = 0; s < 7; ++s) first.step();
  first.note_validation(first.evaluate(task.validation).loss);
  write_checkpoint(file, first.parameters(), first.state(), "me");
  Trainer second(small_model(), small_training(), task, 3, 1);
  second.restore(*read_checkpoint(file, second.parameters(), "me"));
  EXPECT_EQ(second.state().best_step, 7);
  for (Index s = 7; s < 15; ++s) second.step();
  EXPECT_EQ(second.state().weights, trained(1, 15));
}

TEST(Trainer, stops_early_on_the_validation_loss_and_goes_back_to_the_best_weights) {
  TrainingSpec training = small_training();
  training.patience = 2;
  const Task task = circle();
  Trainer trainer(small_model(), training, task, 3, 1);
  trainer.note_validation(1.0);
  const Values best = trainer.state().weights;
  trainer.step();
  trainer.note_validation(1.5);
  EXPECT_FALSE(trainer.state().stopped);
  trainer.note_validation(1.0);
  EXPECT_TRUE(trainer.state().stopped);
  trainer.take_best();
  EXPECT_EQ(trainer.state().weights, best);
}

TEST(Trainer, says_step_and_layer_where_numbers_stop_being_finite) {
  const Task task = circle();
  Trainer trainer(small_model(), small_training(), task, 3, 1);
  trainer.step();
  for (std::size_t p = 0; p < trainer.parameters().size(); ++p)
    if (trainer.parameters()[p].name == "layer 1.out.bias") trainer.state().weights[p][0] = std::nanf("");
  const std::string message = message_of<TrainingDiverged>([&] { trainer.step(); });
  EXPECT_NE(message.find("step 1"), std::string::npos) << message;
  EXPECT_NE(message.find("layer 1 attention"), std::string::npos) << message;
}

/// Eight pictures of two kinds.
Task pictures() {
  Task task;
  task.kind = ModelSpec::Kind::vision;
  task.shape = {2, 2, 2, 1};
  task.channels = {{0.5, 0.5}};
  task.train.images = {8, 1, 2, 2, {}, {}, simulations::numbered_labels(2)};
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

double largest_difference(const Values& a, const Values& b) {
  double largest = 0;
  for (std::size_t p = 0; p < a.size(); ++p)
    for (std::size_t i = 0; i < a[p].size(); ++i)
      largest = std::max(largest, std::abs(static_cast<double>(a[p][i]) - static_cast<double>(b[p][i])));
  return largest;
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

TEST(Trainer, with_smoothed_labels_stays_less_sure) {
  const Task task = circle();
  TrainingSpec smoothed = small_training();
  smoothed.label_smoothing = 0.4;
  Trainer trainer(small_model(), smoothed, task, 3, 1);
  for (int s = 0; s < 60; ++s) trainer.step();
  // The target gives the right letter of four 0.7: a loss of -log 0.7 = 0.357. Without smoothing it falls below 0.3.
  EXPECT_GT(trainer.evaluate(task.validation).loss, 0.3);
}

}  // namespace
}  // namespace attest::training
