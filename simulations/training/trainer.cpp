#include "simulations/training/trainer.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include <fmt/format.h>

#include "kernels/random/stream.hpp"
#include "simulations/tasks/batch_tensors.hpp"
#include "simulations/training/adam.hpp"
#include "simulations/training/attention_entropy.hpp"
#include "simulations/training/devices.hpp"
#include "simulations/training/schedule.hpp"

namespace attest::training {

using tasks::loss_of;
using tasks::Slice;
namespace {

using at::Tensor;

constexpr std::uint32_t dropout_key = random::stream_key("training/dropout");
constexpr Index evaluated_tokens = 8192;  // of a block of an evaluation: enough for the matrix products
constexpr float moving_share = 0.1F;      // of a step in the moments of batch normalisation, as LibTorch has it
constexpr std::size_t updated_entries = 1U
                                        << 15U;  // of a block of an update: a few blocks per thread, each in its cache

/// A run of one parameter's entries.
struct Chunk {
  std::size_t parameter = 0, first = 0, count = 0;
};

std::span<float> part_of(std::vector<float>& values, const Chunk& chunk) {
  return std::span(values).subspan(chunk.first, chunk.count);
}

/// Sums over the answers of a block.
struct Sums {
  double loss = 0, accuracy = 0, top5 = 0, answers = 0, routed = 0, dropped = 0;
  std::vector<double> confusion = {};
};

/// How many answers of each class were given each class, [class][given]; answers below 0 are none.
std::vector<double> confusion_of(const Tensor& given, const Tensor& answers, Index classes) {
  const Tensor known = answers.ge(0);
  const Tensor pairs = (answers * classes + given).masked_select(known);
  const Tensor counts = at::bincount(pairs, {}, classes * classes).to(at::kCPU, at::kDouble).contiguous();
  return {counts.data_ptr<double>(), counts.data_ptr<double>() + counts.numel()};
}

ForwardPass pass_of(const TrainingSpec& training) {
  ForwardPass pass;
  pass.by_operations = training.operations;
  if (training.precision == TrainingSpec::Precision::bfloat16) pass.products = at::kBFloat16;
  return pass;
}

}  // namespace

TrainingDiverged::TrainingDiverged(Index at_step, const std::string& why, const std::string& run)
    : std::runtime_error(fmt::format("{}step {}: {}", run, at_step, why)), step(at_step), sentence(why) {}

struct Trainer::Model {
  Transformer transformer;
  at::Device device;
  ForwardPass pass;                              // how passes are computed; without dropout
  std::vector<std::vector<Tensor>> leaves = {};  // of each shard; on the processor on the memory of state_.weights
  std::vector<std::vector<Tensor>> found = {};   // each shard's gradients; undefined where there is none
  Values gradient = {};
  std::vector<Chunk> chunks = {};
  std::vector<double> squares = {};               // of each chunk
  std::vector<double> routed = {}, dropped = {};  // of each shard in the last pass: tokens that experts were asked for
  tasks::EpochOrder order = {};
};

Trainer::Trainer(const ModelSpec& model, const TrainingSpec& training, const Task& task, std::uint64_t seed,
                 unsigned threads)
    : training_(training),
      task_(task),
      seed_(seed),
      threads_(std::max(1U, threads)),
      model_(new Model{Transformer(model, task.shape), device_of(training), pass_of(training)}) {
  for (const ParameterSpec& parameter : parameters()) {
    state_.weights.push_back(initial_values(parameter, seed));
    const std::size_t size = state_.weights.back().size(), number = state_.weights.size() - 1;
    state_.first_moments.emplace_back(size);
    state_.second_moments.emplace_back(size);
    model_->gradient.emplace_back(size);
    for (std::size_t first = 0; first < size; first += updated_entries)
      model_->chunks.push_back({number, first, std::min(updated_entries, size - first)});
  }
  model_->squares.resize(model_->chunks.size());
  share_weights();
}

Trainer::~Trainer() = default;

const std::vector<ParameterSpec>& Trainer::parameters() const { return model_->transformer.parameters(); }

void Trainer::start_with(Values weights) {
  state_.weights = std::move(weights);
  share_weights();
}

void Trainer::restore(TrainerState state) {
  state_ = std::move(state);
  share_weights();
}

void Trainer::share_weights() {
  const auto shards = static_cast<std::size_t>(training_.shards);
  model_->leaves.assign(shards, {});
  model_->found.assign(shards, {});
  model_->routed.assign(shards, 0);
  model_->dropped.assign(shards, 0);
  for (std::size_t p = 0; p < parameters().size(); ++p) {
    const Tensor weights =
        at::from_blob(state_.weights[p].data(), parameters()[p].shape, at::kFloat).to(model_->device);
    for (auto& leaves : model_->leaves) leaves.push_back(weights.detach().requires_grad_(true));
  }
}

void Trainer::take_weights_to_device() {
  if (model_->device.is_cpu()) return;
  // The shards' leaves are one memory.
  for (std::size_t p = 0; p < parameters().size(); ++p)
    model_->leaves.front()[p].detach().copy_(
        at::from_blob(state_.weights[p].data(), parameters()[p].shape, at::kFloat));
}

void Trainer::try_out() const {
  at::set_num_threads(1);
  const torch::autograd::AutoGradMode off(false);
  const Batch batch = task_.batch(task_.train, 0, 1);
  const Slice slice = slice_of(batch, task_.kind, task_.shape, model_->transformer.fixed_length(), 0, batch.count);
  model_->transformer.logits(model_->leaves.front(), on_device(slice, model_->device).input, model_->pass);
}

std::string Trainer::first_bad_place(const Batch& batch) const {
  std::string place;
  ForwardPass pass = model_->pass;
  pass.probe = [&](const std::string& name, const Tensor& output) {
    if (place.empty() && !at::isfinite(output).all().item<bool>()) place = name;
  };
  const torch::autograd::AutoGradMode off(false);
  const Transformer& model = model_->transformer;
  const Slice all =
      on_device(slice_of(batch, task_.kind, task_.shape, model.fixed_length(), 0, batch.count), model_->device);
  try {
    model.logits(model_->leaves.front(), all.input, pass);
  } catch (const std::invalid_argument&) {
    // A mechanism refuses numbers that are not finite; if no output before was bad, its own logits or projections were.
    if (place.empty()) place = "the projections of the layer after the last finite one";
  }
  return place.empty() ? "the backward pass" : place;
}

void Trainer::diverged(const std::string& what, const Batch& batch) const {
  throw TrainingDiverged(state_.step, fmt::format("{}, first in {}; lower training.learning_rate or give training.clip",
                                                  what, first_bad_place(batch)));
}

double Trainer::add_gradient_of(const Batch& batch, Index number, bool first) {
  const Index shards = training_.shards, per_shard = training_.batch / shards;
  const double share = 1.0 / static_cast<double>(shards * training_.accumulate);
  const Transformer& model = model_->transformer;
  std::vector<double> losses(static_cast<std::size_t>(shards));
  try {
    threads_.for_each(shards, [&](Index shard) {
      // LibTorch must not divide the work of one of our threads among threads of its own.
      at::set_num_threads(1);
      const auto s = static_cast<std::size_t>(shard);
      const random::Stream stream(seed_, dropout_key, static_cast<std::uint64_t>(number * shards + shard));
      const Slice slice = on_device(
          slice_of(batch, task_.kind, task_.shape, model.fixed_length(), shard * per_shard, per_shard), model_->device);
      const torch::autograd::AutoGradMode on(true);
      ForwardPass pass = model_->pass;
      pass.training = true;
      pass.dropout_seed = stream.bits(0) >> 1U;
      models::PassRecord record;
      pass.record = &record;
      const Tensor scores = model.logits(model_->leaves[s], slice.input, pass);
      const Tensor loss = loss_of(scores, slice.answers, at::Reduction::Mean, training_.label_smoothing);
      losses[s] = loss.item<double>();
      const Tensor whole = record.balance.defined() ? loss + record.balance : loss;
      model_->found[s] = torch::autograd::grad({whole}, model_->leaves[s], {}, false, false, true);
      // A measured value goes the way of a gradient, so that shards and batches are averaged alike.
      for (const auto& [parameter, value] : record.statistics) model_->found[s][parameter] = value;
      model_->routed[s] = record.routed;
      model_->dropped[s] = record.dropped;
      for (Tensor& one : model_->found[s])
        if (one.defined()) one = one.to(at::kCPU).contiguous();
    });
  } catch (const std::invalid_argument& refusal) {
    diverged(refusal.what(), batch);
  }
  double loss = 0;
  for (const double one : losses) loss += one * share;
  if (!std::isfinite(loss)) diverged(fmt::format("the loss is {}", loss), batch);
  threads_.for_each(static_cast<Index>(model_->chunks.size()), [&](Index index) {
    const Chunk& chunk = model_->chunks[static_cast<std::size_t>(index)];
    const std::span<float> to = part_of(model_->gradient[chunk.parameter], chunk);
    bool fresh = first;
    for (const auto& of_shard : model_->found) {
      const Tensor& one = of_shard[chunk.parameter];
      if (!one.defined()) continue;
      add_gradient(to, {one.data_ptr<float>() + chunk.first, chunk.count}, static_cast<float>(share), fresh);
      fresh = false;
    }
    if (fresh) std::fill(to.begin(), to.end(), 0.0F);
  });
  return loss;
}

void Trainer::update() {
  const auto chunks = static_cast<Index>(model_->chunks.size());
  const auto chunk_at = [&](Index index) -> const Chunk& { return model_->chunks[static_cast<std::size_t>(index)]; };
  threads_.for_each(chunks, [&](Index index) {
    const Chunk& chunk = chunk_at(index);
    model_->squares[static_cast<std::size_t>(index)] =
        parameters()[chunk.parameter].statistic ? 0 : square_sum(part_of(model_->gradient[chunk.parameter], chunk));
  });
  double squares = 0;
  for (Index index = 0; index < chunks; ++index) {
    const double of_chunk = model_->squares[static_cast<std::size_t>(index)];
    if (!std::isfinite(of_chunk))
      throw TrainingDiverged(
          state_.step,
          fmt::format("the gradient of {} is not finite; lower training.learning_rate or give training.clip",
                      parameters()[chunk_at(index).parameter].name));
    squares += of_chunk;
  }
  const double norm = std::sqrt(squares), rate = learning_rate(training_, state_.step);
  ++state_.step;
  threads_.for_each(chunks, [&](Index index) {
    const Chunk& chunk = chunk_at(index);
    const std::size_t p = chunk.parameter;
    const std::span<float> gradient = part_of(model_->gradient[p], chunk);
    if (parameters()[p].statistic) {
      const std::span<float> moving = part_of(state_.weights[p], chunk);
      for (std::size_t i = 0; i < moving.size(); ++i) moving[i] += moving_share * (gradient[i] - moving[i]);
      return;
    }
    if (training_.clip > 0 && norm > training_.clip) scale(gradient, static_cast<float>(training_.clip / norm));
    const bool decays = parameters()[p].decays() || training_.optimiser == TrainingSpec::Optimiser::adam;
    adam_step(training_, state_.step, rate, decays ? training_.weight_decay : 0, part_of(state_.weights[p], chunk),
              gradient, {part_of(state_.first_moments[p], chunk), part_of(state_.second_moments[p], chunk)});
  });
  take_weights_to_device();
}

double Trainer::step() {
  double loss = 0;
  for (Index part = 0; part < training_.accumulate; ++part) {
    const Index number = state_.step * training_.accumulate + part;
    const Batch batch = task_.training_batch(seed_, static_cast<std::uint64_t>(number), training_.batch, model_->order);
    state_.data_order = state_.data_order * 1099511628211U + digest_of(batch);
    loss += add_gradient_of(batch, number, part == 0);
  }
  update();
  return loss;
}

double Trainer::dropped_share() const {
  double routed = 0, dropped = 0;
  for (std::size_t s = 0; s < model_->routed.size(); ++s) {
    routed += model_->routed[s];
    dropped += model_->dropped[s];
  }
  return routed > 0 ? dropped / routed : 0;
}

std::vector<HeadEntropy> Trainer::head_entropies() const {
  return training::head_entropies(model_->transformer, model_->leaves.front(), model_->pass, task_);
}

Index Trainer::tokens() const { return model_->transformer.tokens(); }

Scores Trainer::evaluate(const Part& part) const {
  const auto examples = static_cast<Index>(task_.examples(part));
  const Transformer& model = model_->transformer;
  const Index per_block = std::max<Index>(1, evaluated_tokens / model.tokens());
  const Index blocks = (examples + per_block - 1) / per_block;
  std::vector<Sums> sums(static_cast<std::size_t>(blocks));
  threads_.for_each(blocks, [&](Index block) {
    at::set_num_threads(1);
    const torch::autograd::AutoGradMode off(false);
    const Index first = block * per_block, count = std::min(per_block, examples - first);
    const Batch batch = task_.batch(part, static_cast<std::size_t>(first), static_cast<std::size_t>(count));
    const Slice slice =
        on_device(slice_of(batch, task_.kind, task_.shape, model.fixed_length(), 0, count), model_->device);
    models::PassRecord record;
    ForwardPass pass = model_->pass;
    pass.record = &record;
    const Tensor scores = model.logits(model_->leaves.front(), slice.input, pass);
    Sums& sum = sums[static_cast<std::size_t>(block)];
    sum.routed = record.routed;
    sum.dropped = record.dropped;
    sum.loss = loss_of(scores, slice.answers, at::Reduction::Sum, 0).item<double>();
    if (task_.shape.regression) {
      sum.answers = slice.answers.isnan().logical_not().sum().item<double>();
      return;
    }
    const Tensor known = slice.answers.ge(0);  // pixels may have no class
    const Tensor answers = slice.answers.clamp_min(0).unsqueeze(1);
    const Tensor better = scores.gt(scores.gather(1, answers)).sum(1);
    sum.accuracy = better.eq(0).logical_and(known).sum().item<double>();
    sum.top5 = better.lt(5).logical_and(known).sum().item<double>();
    sum.answers = known.sum().item<double>();
    if (traits_of(task_.kind).measures == models::Measures::overlap)
      sum.confusion = confusion_of(scores.argmax(1), slice.answers, task_.shape.classes);
  });
  Sums all;
  for (const Sums& one : sums) {
    all.loss += one.loss;
    all.accuracy += one.accuracy;
    all.top5 += one.top5;
    all.answers += one.answers;
    all.routed += one.routed;
    all.dropped += one.dropped;
    all.confusion.resize(one.confusion.size());
    for (std::size_t i = 0; i < one.confusion.size(); ++i) all.confusion[i] += one.confusion[i];
  }
  const double answers = all.answers;
  return {all.loss / answers, all.accuracy / answers, all.top5 / answers, all.routed > 0 ? all.dropped / all.routed : 0,
          std::move(all.confusion)};
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
  take_weights_to_device();
}

}  // namespace attest::training
