#include "simulations/training/trainer.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>

#include <gtest/gtest.h>

#include "simulations/data/images/masked_images.hpp"
#include "simulations/training/devices.hpp"
#include "tests/simulations/training/small_trainings.hpp"
#include "tests/support/scratch_folder.hpp"

namespace attest::training {

using checkpoints::read_checkpoint;
namespace {

using test_support::message_of;

Values trained(unsigned threads, Index steps) {
  const Task task = circle();
  Trainer trainer(small_model(), small_training(), task, 3, threads);
  for (Index s = 0; s < steps; ++s) trainer.step();
  return trainer.state().weights;
}

/// An untrained model's least share of log(classes), the loss of knowing nothing, and the loss of one that learned the
/// circle.
constexpr double untrained_share = 0.87, learned_loss = 0.3;

TEST(Trainer, learns_a_text_that_can_be_predicted) {
  const Task task = circle();
  Trainer trainer(small_model(), small_training(), task, 3, 1);
  const double before = trainer.evaluate(task.validation).loss;
  for (Index s = 0; s < 60; ++s) trainer.step();
  const Scores after = trainer.evaluate(task.validation);
  EXPECT_GT(before, untrained_share * std::log(4.0));
  EXPECT_LT(after.loss, learned_loss);
  EXPECT_GT(after.accuracy, 0.95);
}

TEST(Trainer, moves_the_moments_of_batch_norm_towards_those_of_its_batches) {
  Task task = circle();
  task.kind = ModelSpec::Kind::sequence;
  task.context = 0;
  task.shape.classes = 2;
  task.shape.vocabulary = 4;
  task.shape.tokens = 4;
  for (int i = 0; i < 8; ++i) {
    task.train.sequences.push_back({i % 4, i % 2, 1, 0});
    task.train.labels.push_back(i % 2);
  }
  ModelSpec model = small_model();
  model.kind = ModelSpec::Kind::sequence;
  model.pool = ModelSpec::Pool::mean;
  model.norm = ModelSpec::Norm::batch;
  TrainingSpec training = small_training();
  Trainer one(model, training, task, 3, 1), two(model, training, task, 3, 2);
  for (Index s = 0; s < 3; ++s) {
    one.step();
    two.step();
  }
  EXPECT_EQ(one.state().weights, two.state().weights);
  for (std::size_t p = 0; p < one.parameters().size(); ++p) {
    if (!one.parameters()[p].statistic) continue;
    const bool mean = one.parameters()[p].name.ends_with(".mean");
    const auto& values = one.state().weights[p];
    // From 0 and 1, and nothing but the moving share: Adam's moments stay 0.
    EXPECT_TRUE(std::any_of(values.begin(), values.end(), [&](float v) { return v != (mean ? 0.0F : 1.0F); }));
    EXPECT_TRUE(std::all_of(values.begin(), values.end(), [&](float v) { return mean || (v > 0 && v < 10); }));
    for (const float moment : one.state().first_moments[p]) EXPECT_EQ(moment, 0);
  }
}

TEST(Trainer, counts_the_tokens_that_experts_had_no_room_for) {
  const Task task = circle();
  ModelSpec model = small_model();
  model.layers[0].experts = {.count = 2, .capacity = 0.5, .evaluation_capacity = 2};
  Trainer trainer(model, small_training(), task, 3, 1);
  EXPECT_EQ(trainer.dropped_share(), 0);
  const double before = trainer.evaluate(task.validation).loss;
  for (Index s = 0; s < 60; ++s) trainer.step();
  // Two experts that take a quarter of the tokens each leave half or more without.
  EXPECT_GE(trainer.dropped_share(), 0.5);
  const Scores after = trainer.evaluate(task.validation);
  EXPECT_EQ(after.dropped, 0);  // room for all of them
  EXPECT_LT(after.loss, before / 2);
}

/// Pictures of 4 x 4 pixels in patches of 2 x 2, each patch dark (class 0) or bright (class 1); one pixel of each
/// picture has no class.
Task patchwork() {
  Task task;
  task.kind = ModelSpec::Kind::segmentation;
  task.shape.classes = 2;
  task.shape.rows = task.shape.columns = 4;
  task.channels = {{0.5, 0.25}};
  Part& part = task.train;
  part.images.count = 32;
  part.images.rows = part.images.columns = 4;
  for (unsigned i = 0; i < 32; ++i)
    for (unsigned pixel = 0; pixel < 16; ++pixel) {
      const unsigned patch = pixel / 8 * 2 + pixel % 4 / 2, bright = i >> patch & 1U;
      part.images.pixels.push_back(bright == 1U ? 220 : 30);
      part.masks.push_back(pixel == 5 ? data::unlabelled : static_cast<std::uint8_t>(bright));
    }
  task.validation = part;
  return task;
}

TEST(Trainer, learns_the_classes_of_pixels_and_counts_those_that_have_one) {
  const Task task = patchwork();
  ModelSpec model;
  model.kind = ModelSpec::Kind::segmentation;
  model.patch = 2;
  model.width = 8;
  model.heads = 2;
  model.feedforward = 16;
  model.layers.resize(1);
  TrainingSpec training;
  training.batch = 8;
  training.learning_rate = 0.02;
  Trainer trainer(model, training, task, 3, 1);
  const double before = trainer.evaluate(task.validation).loss;
  for (Index s = 0; s < 60; ++s) trainer.step();
  const Scores after = trainer.evaluate(task.validation);
  EXPECT_GT(before, untrained_share * std::log(2.0));
  EXPECT_LT(after.loss, 0.4);
  // 15 of 16 pixels of 32 pictures; the table's diagonal is what was right.
  ASSERT_EQ(after.confusion.size(), 4U);
  EXPECT_EQ(after.confusion[0] + after.confusion[1] + after.confusion[2] + after.confusion[3], 15 * 32);
  EXPECT_DOUBLE_EQ(after.accuracy, (after.confusion[0] + after.confusion[3]) / (15 * 32));
  EXPECT_GT(after.accuracy, 0.8);
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
  // 8 bits of every product: the loss is off by some percent of its start.
  EXPECT_NEAR(rounded, exact, 0.1 * std::log(4.0));
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
  TrainerState broken = trainer.state();
  for (std::size_t p = 0; p < trainer.parameters().size(); ++p)
    if (trainer.parameters()[p].name == "layer 1.out.bias") broken.weights[p][0] = std::nanf("");
  trainer.restore(std::move(broken));
  const std::string message = message_of<TrainingDiverged>([&] { trainer.step(); });
  EXPECT_NE(message.find("step 1"), std::string::npos) << message;
  EXPECT_NE(message.find("layer 1 attention"), std::string::npos) << message;
}

TEST(Trainer, with_smoothed_labels_stays_less_sure) {
  const Task task = circle();
  TrainingSpec smoothed = small_training();
  smoothed.label_smoothing = 0.4;
  Trainer trainer(small_model(), smoothed, task, 3, 1);
  for (int s = 0; s < 60; ++s) trainer.step();
  // The target gives the right letter of four 0.7: a loss of -log 0.7 = 0.357.
  EXPECT_GT(trainer.evaluate(task.validation).loss, learned_loss);
}

}  // namespace
}  // namespace attest::training
