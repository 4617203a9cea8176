// Steps where the model runs, held to those of the processor; on a device where there is one.
#include "simulations/training/update/device_state.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "simulations/models/device/work.hpp"
#include "simulations/training/devices.hpp"
#include "simulations/training/trainer.hpp"
#include "simulations/training/update/host_update.hpp"
#include "tests/simulations/training/small_trainings.hpp"

namespace attest::training {
namespace {

using at::Tensor;

/// A bias before a matrix, a matrix of no whole number of vectors, a measured vector, and one number.
std::vector<ParameterSpec> parameters() {
  return {{"bias", {5}, {}}, {"matrix", {7, 3}, {}}, {"mean", {4}, {}, true}, {"gate", {1}, {}}};
}

/// Gradients of one shard in step `step`; the gate has none in the first.
std::vector<Tensor> gradients(int step, int shard) {
  std::vector<Tensor> all;
  for (const ParameterSpec& one : parameters())
    all.push_back(at::randn(one.shape, at::make_generator<at::CPUGeneratorImpl>(100 * step + 10 * shard + all.size())));
  if (step == 0) all.back() = Tensor();
  return all;
}

TrainerState zeros() {
  TrainerState state;
  for (const ParameterSpec& one : parameters()) {
    state.weights.emplace_back(static_cast<std::size_t>(one.entries()), 0.5F);
    state.first_moments.emplace_back(static_cast<std::size_t>(one.entries()));
    state.second_moments.emplace_back(static_cast<std::size_t>(one.entries()));
  }
  return state;
}

constexpr int shards = 2, step_count = 5;
constexpr float moving = 0.1F;

TrainerState on_host(const TrainingSpec& training) {
  const std::vector<ParameterSpec> list = parameters();
  ShardThreads threads(1);
  HostUpdate update(list);
  TrainerState state = zeros();
  for (int s = 0; s < step_count; ++s) {
    update.add_gradient({gradients(s, 0), gradients(s, 1)}, 1.0 / shards, true, threads);
    ++state.step;
    update.update(training, 0.01 * (s + 1), update.gradient_norm(threads), moving, state, threads);
  }
  return state;
}

TrainerState on_tensors(const TrainingSpec& training, const at::Device& device) {
  DeviceState run(parameters(), device);
  run.take(zeros());
  for (int s = 0; s < step_count; ++s) {
    run.clear_gradient();
    for (int shard = 0; shard < shards; ++shard) {
      std::vector<Tensor> found = gradients(s, shard);
      for (Tensor& one : found)
        if (one.defined()) one = one.to(device);
      run.add_gradient(found, 1.0 / shards);
    }
    run.update(training, 0.01 * (s + 1), run.gradient_norm(), moving, s + 1);
  }
  TrainerState state = zeros();
  run.give(state);
  return state;
}

TEST(DeviceState, steps_as_the_processor_does) {
  constexpr double roundings = 5e-7;  // of numbers below 4
  for (const auto optimiser : {TrainingSpec::Optimiser::adamw, TrainingSpec::Optimiser::adam})
    for (const double clip : {0.0, 1.0}) {
      TrainingSpec training;
      training.optimiser = optimiser;
      training.clip = clip;
      training.weight_decay = 0.3;
      const TrainerState expected = on_host(training), found = on_tensors(training, at::kCPU);
      EXPECT_LE(largest_difference(found.weights, expected.weights), roundings) << clip;
      EXPECT_LE(largest_difference(found.first_moments, expected.first_moments), roundings) << clip;
      EXPECT_LE(largest_difference(found.second_moments, expected.second_moments), roundings) << clip;
      EXPECT_GT(largest_difference(expected.weights, zeros().weights), 0.01);
    }
}

TEST(DeviceState, gives_the_leaves_of_a_graph_that_updates_change) {
  DeviceState run(parameters(), at::kCPU);
  run.take(zeros());
  const std::vector<Tensor> leaves = run.leaves();
  ASSERT_EQ(leaves.size(), parameters().size());
  EXPECT_EQ(leaves[1].sizes(), at::IntArrayRef({7, 3}));
  const auto of = torch::autograd::grad({(leaves[1] * leaves[1]).sum()}, {leaves[1]});
  run.clear_gradient();
  run.add_gradient({Tensor(), of[0], Tensor(), Tensor()}, 1);
  TrainingSpec training;
  run.update(training, 0.25, run.gradient_norm(), moving, 1);
  EXPECT_LT(leaves[1].max().item<float>(), 0.5F);  // Adam's first step is the rate
  EXPECT_EQ(leaves[3].item<float>(), 0.5F);
}

TEST(DeviceState, keeps_the_weights_in_the_type_of_products_and_takes_their_gradients) {
  DeviceState run(parameters(), at::kCPU, at::kBFloat16), plain(parameters(), at::kCPU);
  EXPECT_TRUE(plain.rounded_leaves().empty());
  run.take(zeros());
  plain.take(zeros());
  const std::vector<Tensor> weights = run.leaves(), rounded = run.rounded_leaves();
  ASSERT_EQ(rounded.size(), weights.size());
  const std::vector<Tensor> found = gradients(1, 0);
  std::vector<Tensor> of_both(2 * found.size()), rounded_found;
  for (std::size_t p = 0; p < found.size(); ++p) {
    rounded_found.push_back(found[p].to(at::kBFloat16).to(at::kFloat));
    of_both[p % 2 == 0 ? p : p + found.size()] = p % 2 == 0 ? rounded_found[p] : found[p].to(at::kBFloat16);
  }
  run.clear_gradient();
  run.add_gradient(of_both, 0.5);
  plain.clear_gradient();
  plain.add_gradient(rounded_found, 0.5);
  EXPECT_EQ(run.gradient_norm(), plain.gradient_norm());
  run.update(TrainingSpec{}, 0.01, run.gradient_norm(), moving, 1);
  for (std::size_t p = 0; p < weights.size(); ++p) {
    EXPECT_TRUE(at::equal(rounded[p].detach(), weights[p].detach().to(at::kBFloat16))) << p;
    EXPECT_NE(weights[p].flatten()[0].item<float>(), 0.5F) << p;
  }
}

TEST(DeviceState, names_the_parameter_whose_gradient_is_not_finite) {
  DeviceState run(parameters(), at::kCPU);
  run.clear_gradient();
  std::vector<Tensor> found = gradients(1, 0);
  found[1][6][2] = std::numeric_limits<float>::infinity();
  run.add_gradient(found, 1);
  EXPECT_FALSE(std::isfinite(run.gradient_norm()));
  EXPECT_EQ(run.first_not_finite(), 1U);
}

TEST(DeviceState, trains_and_resumes_on_a_device) {
  if (!at::hasCUDA()) GTEST_SKIP() << "LibTorch finds no CUDA device";
  const Task task = circle();
  ModelSpec model = small_model();
  model.dropout = 0;
  TrainingSpec training = small_training();
  Trainer processor(model, training, task, 3, 1);
  training.device = TrainingSpec::Device::cuda;
  training.operations = true;
  Trainer device(model, training, task, 3, 1);
  for (int s = 0; s < 10; ++s) {
    processor.step();
    device.step();
  }
  constexpr double several_roundings = 1e-3;  // of float32 over ten steps at a rate of 0.02
  EXPECT_LE(largest_difference(device.state().weights, processor.state().weights), several_roundings);
  Trainer resumed(model, training, task, 3, 1);
  resumed.restore(device.state());
  device.step();
  resumed.step();
  EXPECT_EQ(resumed.state().weights, device.state().weights);
  EXPECT_EQ(resumed.state().second_moments, device.state().second_moments);
}

TEST(RecordedPass, is_for_a_device) {
  const Task task = circle();
  TrainingSpec training = small_training();
  training.precision = TrainingSpec::Precision::bfloat16;
  training.operations = true;
  EXPECT_FALSE(models::Transformer(small_model(), task.shape).is_recordable({at::zeros({1})}, pass_of(training)));
}

// Twenty steps: the first is recorded, and each has a batch, a rate and a pattern of dropout of its own.
TEST(RecordedPass, trains_with_the_bits_of_single_launches) {
  if (!at::hasCUDA() || !models::RecordedWork::is_possible()) GTEST_SKIP() << "LibTorch finds no CUDA device";
  const Task task = circle();
  ModelSpec model = small_model();
  model.width = 32;
  model.dropout = 0.25;
  TrainingSpec training = small_training();
  training.shards = training.accumulate = 1;
  training.device = TrainingSpec::Device::cuda;
  training.precision = TrainingSpec::Precision::bfloat16;
  training.operations = true;
  training.clip = 1;
  for (const char* mechanism : {"softmax", "graph-diffusion"}) {
    model.layers[0].attention.mechanism = mechanism;
    // Otherwise single launches would be compared with themselves.
    const Tensor there = at::zeros({1}, at::TensorOptions(at::kCUDA));
    ASSERT_TRUE(models::Transformer(model, task.shape).is_recordable({there}, pass_of(training))) << mechanism;
    training.cuda_graph = true;
    Trainer recorded(model, training, task, 3, 1);
    training.cuda_graph = false;
    Trainer plain(model, training, task, 3, 1);
    for (int s = 0; s < 20; ++s) EXPECT_EQ(recorded.step(), plain.step()) << mechanism << ", step " << s;
    EXPECT_EQ(recorded.state().weights, plain.state().weights) << mechanism;
    Trainer resumed(model, training, task, 3, 1);
    resumed.restore(recorded.state());
    EXPECT_EQ(recorded.step(), resumed.step());
    EXPECT_EQ(recorded.state().weights, resumed.state().weights) << mechanism;
  }
}

}  // namespace
}  // namespace attest::training
