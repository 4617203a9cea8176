#include "simulations/training/trainer.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "kernels/parallel/blocks.hpp"
#include "kernels/random/stream.hpp"
#include "simulations/models/transformer.hpp"
#include "simulations/training/adam.hpp"
#include "simulations/training/schedule.hpp"

namespace attest::training {
namespace {

using at::Tensor;

constexpr std::uint32_t dropout_key = random::claim_key("training/dropout");
constexpr Index evaluated_tokens = 8192;  // of a block of an evaluation: enough for the matrix products

/// A part of a batch as tensors on the batch's memory.
struct Slice {
  Tensor input, answers;
};

Slice slice_of(const Batch& batch, const Task& task, Index first, Index count) {
  // LibTorch takes borrowed memory as writable, but only reads it.
  auto* answers = const_cast<std::int64_t*>(batch.answers.data());  // NOLINT
  if (task.context > 0) {
    auto* tokens = const_cast<std::int64_t*>(batch.tokens.data());  // NOLINT
    const Index n = task.context;
    return {at::from_blob(tokens + first * n, {count, n}, at::kLong),
            at::from_blob(answers + first * n, {count * n}, at::kLong)};
  }
  auto* pixels = const_cast<float*>(batch.pixels.data());  // NOLINT
  const Index size = task.shape.rows * task.shape.columns;
  return {at::from_blob(pixels + first * size, {count, 1, task.shape.rows, task.shape.columns}, at::kFloat),
          at::from_blob(answers + first, {count}, at::kLong)};
}

/// Work of LibTorch on a thread of ours, which it must not divide among threads of its own.
void on_one_thread(const std::function<void()>& work) {
  at::set_num_threads(1);
  work();
}

double square_sum(const std::vector<float>& values) {
  double sum = 0;
  for (const float value : values) sum += static_cast<double>(value) * static_cast<double>(value);
  return sum;
}

}  // namespace

struct Trainer::Model {
  Transformer transformer;
  std::vector<std::vector<Tensor>> leaves;                 // of each shard, on the memory of state_.weights
  std::vector<std::vector<std::vector<float>>> gradients;  // of each shard and parameter
};

Trainer::Trainer(const ModelSpec& model, const TrainingSpec& training, const Task& task, std::uint64_t seed,
                 unsigned threads)
    : training_(training),
      task_(task),
      seed_(seed),
      threads_(threads),
      model_(new Model{Transformer(model, task.shape), {}, {}}) {
  for (const ParameterSpec& parameter : parameters()) {
    state_.weights.push_back(initial_values(parameter, seed));
    state_.first_moments.emplace_back(state_.weights.back().size());
    state_.second_moments.emplace_back(state_.weights.back().size());
  }
  share_weights();
}

Trainer::~Trainer() = default;

const std::vector<ParameterSpec>& Trainer::parameters() const { return model_->transformer.parameters(); }

void Trainer::restore(TrainerState state) {
  state_ = std::move(state);
  share_weights();
}

void Trainer::share_weights() {
  const auto shards = static_cast<std::size_t>(training_.shards);
  model_->leaves.assign(shards, {});
  model_->gradients.assign(shards, {});
  for (std::size_t s = 0; s < shards; ++s)
    for (std::size_t p = 0; p < parameters().size(); ++p) {
      auto& values = state_.weights[p];
      model_->leaves[s].push_back(at::from_blob(values.data(), parameters()[p].shape, at::kFloat).requires_grad_(true));
      model_->gradients[s].emplace_back(values.size());
    }
}

std::string Trainer::first_bad_place(const Batch& batch) const {
  std::string place;
  ForwardPass pass;
  pass.probe = [&](const std::string& name, const Tensor& output) {
    if (place.empty() && !at::isfinite(output).all().item<bool>()) place = name;
  };
  const torch::autograd::AutoGradMode off(false);
  const Slice all = slice_of(batch, task_, 0, training_.batch);
  try {
    model_->transformer.logits(model_->leaves.front(), all.input, pass);
  } catch (const std::invalid_argument&) {
    // A mechanism refuses numbers that are not finite; if no output before was bad, its own logits or projections were.
    if (place.empty()) place = "the projections of the layer behind the last finite one";
  }
  return place.empty() ? "the backward pass" : place;
}

double Trainer::step() {
  const auto shards = training_.shards, per_shard = training_.batch / shards;
  const double share = 1.0 / static_cast<double>(shards * training_.accumulate);
  double loss = 0;
  std::vector<std::vector<float>> gradient;
  for (const auto& values : state_.weights) gradient.emplace_back(values.size());
  const auto diverged = [&](const std::string& what, const Batch& batch) {
    throw TrainingDiverged(fmt::format("step {}: {}, first in {}; lower training.learning_rate or give training.clip",
                                       state_.step, what, first_bad_place(batch)));
  };
  for (Index part = 0; part < training_.accumulate; ++part) {
    const Index number = state_.step * training_.accumulate + part;
    const Batch batch = task_.training_batch(seed_, static_cast<std::uint64_t>(number), training_.batch);
    std::vector<double> losses(static_cast<std::size_t>(shards));
    try {
      parallel::for_each_block(shards, threads_, [&](Index shard) {
        on_one_thread([&] {
          const auto s = static_cast<std::size_t>(shard);
          const random::Stream stream(seed_, dropout_key, static_cast<std::uint64_t>(number * shards + shard));
          const Slice slice = slice_of(batch, task_, shard * per_shard, per_shard);
          const torch::autograd::AutoGradMode on(true);
          const Tensor scores =
              model_->transformer.logits(model_->leaves[s], slice.input, {true, stream.bits(0) >> 1U, {}});
          const Tensor shard_loss =
              at::cross_entropy_loss(scores, slice.answers, {}, at::Reduction::Mean, -100, training_.label_smoothing);
          losses[s] = shard_loss.item<double>();
          const auto found = torch::autograd::grad({shard_loss}, model_->leaves[s], {}, false, false, true);
          for (std::size_t p = 0; p < found.size(); ++p) {
            auto& to = model_->gradients[s][p];
            if (!found[p].defined()) {
              std::fill(to.begin(), to.end(), 0.0F);
              continue;
            }
            const Tensor dense = found[p].contiguous();
            std::copy_n(dense.data_ptr<float>(), to.size(), to.begin());
          }
        });
      });
    } catch (const std::invalid_argument& refusal) {
      diverged(refusal.what(), batch);
    }
    double batch_loss = 0;
    for (const double one : losses) batch_loss += one * share;
    if (!std::isfinite(batch_loss)) diverged(fmt::format("the loss is {}", batch_loss), batch);
    loss += batch_loss;
    for (const auto& of_shard : model_->gradients)
      for (std::size_t p = 0; p < gradient.size(); ++p)
        for (std::size_t i = 0; i < gradient[p].size(); ++i)
          gradient[p][i] += static_cast<float>(share) * of_shard[p][i];
  }
  double squares = 0;
  for (std::size_t p = 0; p < gradient.size(); ++p) {
    const double of_parameter = square_sum(gradient[p]);
    if (!std::isfinite(of_parameter))
      throw TrainingDiverged(
          fmt::format("step {}: the gradient of {} is not finite; lower training.learning_rate or give training.clip",
                      state_.step, parameters()[p].name));
    squares += of_parameter;
  }
  const double norm = std::sqrt(squares);
  if (training_.clip > 0 && norm > training_.clip)
    for (auto& values : gradient)
      for (float& value : values) value *= static_cast<float>(training_.clip / norm);
  const double rate = learning_rate(training_, state_.step);
  ++state_.step;
  for (std::size_t p = 0; p < gradient.size(); ++p) {
    const bool decays = parameters()[p].decays() || training_.optimiser == TrainingSpec::Optimiser::adam;
    adam_step(training_, state_.step, rate, decays ? training_.weight_decay : 0, state_.weights[p], gradient[p],
              {state_.first_moments[p], state_.second_moments[p]});
  }
  return loss;
}

Scores Trainer::evaluate(const Part& part) const {
  const auto examples = static_cast<Index>(task_.examples(part));
  const Index per_block = std::max<Index>(1, evaluated_tokens / model_->transformer.tokens());
  const Index blocks = (examples + per_block - 1) / per_block;
  std::vector<Scores> sums(static_cast<std::size_t>(blocks));
  parallel::for_each_block(blocks, threads_, [&](Index block) {
    on_one_thread([&] {
      const torch::autograd::AutoGradMode off(false);
      const Index first = block * per_block, count = std::min(per_block, examples - first);
      const Batch batch = task_.batch(part, static_cast<std::size_t>(first), static_cast<std::size_t>(count));
      const Slice slice = slice_of(batch, task_, 0, count);
      const Tensor scores = model_->transformer.logits(model_->leaves.front(), slice.input, {});
      const Tensor right = scores.gather(1, slice.answers.unsqueeze(1));
      const Tensor better = scores.gt(right).sum(1);
      sums[static_cast<std::size_t>(block)] = {
          at::cross_entropy_loss(scores, slice.answers, {}, at::Reduction::Sum).item<double>(),
          better.eq(0).sum().item<double>(), better.lt(5).sum().item<double>()};
    });
  });
  Scores all;
  for (const Scores& one : sums) {
    all.loss += one.loss;
    all.accuracy += one.accuracy;
    all.top5 += one.top5;
  }
  const auto answers = static_cast<double>(examples * std::max<Index>(1, task_.context));
  return {all.loss / answers, all.accuracy / answers, all.top5 / answers};
}

void Trainer::note_validation(double loss) {
  if (state_.best_step < 0 || loss < state_.best_loss) {
    state_.best_loss = loss;
    state_.best_step = state_.step;
    state_.best_weights = state_.weights;
    state_.without_gain = 0;
  } else {
    ++state_.without_gain;
  }
  state_.stopped = training_.patience > 0 && state_.without_gain >= training_.patience;
}

void Trainer::take_best() {
  for (std::size_t p = 0; p < state_.weights.size(); ++p)
    std::copy(state_.best_weights[p].begin(), state_.best_weights[p].end(), state_.weights[p].begin());
}

}  // namespace attest::training
