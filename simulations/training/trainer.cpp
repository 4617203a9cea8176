#include "simulations/training/trainer.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include <fmt/format.h>

#include "kernels/random/stream.hpp"
#include "simulations/tasks/batch_tensors.hpp"
#include "simulations/training/attention_entropy.hpp"
#include "simulations/training/devices.hpp"
#include "simulations/training/schedule.hpp"
#include "simulations/training/update/device_state.hpp"
#include "simulations/training/update/host_update.hpp"
#include "simulations/training/update/recorded_pass.hpp"

namespace attest::training {

using tasks::loss_of;
using tasks::Slice;
namespace {

using at::Tensor;

constexpr std::uint32_t dropout_key = random::stream_key("training/dropout");
constexpr Index evaluated_tokens = 8192;  // of a block of an evaluation: enough for the matrix products
constexpr float moving_share = 0.1F;      // of a step in the moments of batch normalisation, as LibTorch has it

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

}  // namespace

TrainingDiverged::TrainingDiverged(Index at_step, const std::string& why, const std::string& run)
    : std::runtime_error(fmt::format("{}step {}: {}", run, at_step, why)), step(at_step), sentence(why) {}

struct Trainer::Model {
  Transformer transformer;
  at::Device device;
  ForwardPass pass;                               // how passes are computed; without dropout
  std::vector<std::vector<Tensor>> leaves = {};   // of each shard; on the processor on the memory of state_.weights
  std::vector<Tensor> rounded = {};               // on a device: leaves in the type of products, of all shards
  std::vector<std::vector<Tensor>> found = {};    // each shard's gradients; undefined where there is none
  std::vector<double> routed = {}, dropped = {};  // of each shard in the last pass: tokens that experts were asked for
  tasks::EpochOrder order = {};
  std::optional<HostUpdate> on_host = {};  // one of the two is there, and makes the steps
  std::optional<DeviceState> on_device = {};
  bool may_record = false;  // a step's pass and its way back as one launch
  std::optional<RecordedPass> recorded = {};
  bool ahead = false;  // on_device has made steps whose weights and moments state_ does not hold

  Tensor gradient_of(std::size_t shard, const Slice& slice, ForwardPass how, double label_smoothing);
  double repeat_gradient_of(const Slice& slice, std::uint64_t dropout_seed, double label_smoothing);
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
    state_.first_moments.emplace_back(state_.weights.back().size());
    state_.second_moments.emplace_back(state_.weights.back().size());
  }
  if (model_->device.is_cpu())
    model_->on_host.emplace(parameters());
  else
    model_->on_device.emplace(parameters(), model_->device, model_->pass.products);
  share_weights();
  model_->may_record = training.cuda_graph && training.shards == 1 && training.accumulate == 1 &&
                       models::RecordedWork::is_possible() &&
                       model_->transformer.is_recordable(model_->leaves.front(), model_->pass);
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
  if (model_->on_device) {
    model_->on_device->take(state_);
    model_->ahead = false;
    model_->leaves.assign(shards, model_->on_device->leaves());
    model_->rounded = model_->on_device->rounded_leaves();
    if (!model_->rounded.empty()) model_->pass.rounded_weights = &model_->rounded;
    return;
  }
  for (std::size_t p = 0; p < parameters().size(); ++p) {
    const Tensor weights = at::from_blob(state_.weights[p].data(), parameters()[p].shape, at::kFloat);
    for (auto& leaves : model_->leaves) leaves.push_back(weights.detach().requires_grad_(true));
  }
}

const TrainerState& Trainer::state() const {
  if (std::exchange(model_->ahead, false)) model_->on_device->give(state_);
  return state_;
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

/// The loss of a slice; its gradients and what its pass counted are noted for the shard.
Tensor Trainer::Model::gradient_of(std::size_t shard, const Slice& slice, ForwardPass how, double label_smoothing) {
  const torch::autograd::AutoGradMode on(true);
  models::PassRecord record;
  how.training = true;
  how.record = &record;
  const Tensor scores = transformer.logits(leaves[shard], slice.input, how);
  const Tensor loss = loss_of(scores, slice.answers, at::Reduction::Mean, label_smoothing);
  const Tensor whole = record.balance.defined() ? loss + record.balance : loss;
  std::vector<Tensor> all = leaves[shard];
  all.insert(all.end(), rounded.begin(), rounded.end());
  found[shard] = torch::autograd::grad({whole}, all, {}, false, false, true);
  // A measured value goes the way of a gradient, so that shards and batches are averaged alike.
  for (const auto& [parameter, value] : record.statistics) found[shard][parameter] = value;
  routed[shard] = record.routed;
  dropped[shard] = record.dropped;
  return loss.detach();
}

/// The same of all of a step's batch by one launch, with the gradient where an update reads it.
double Trainer::Model::repeat_gradient_of(const Slice& slice, std::uint64_t dropout_seed, double label_smoothing) {
  if (!recorded) recorded.emplace(slice, pass, device);
  return (*recorded)(slice, dropout_seed, [&](const Slice& there, const ForwardPass& how) {
    on_device->clear_gradient();
    Tensor loss = gradient_of(0, there, how, label_smoothing);
    on_device->add_gradient(found.front(), 1);
    found.front().clear();
    return loss;
  });
}

double Trainer::add_gradient_of(const Batch& batch, Index number, bool first) {
  const Index shards = training_.shards, per_shard = training_.batch / shards;
  const double share = 1.0 / static_cast<double>(shards * training_.accumulate);
  const Transformer& model = model_->transformer;
  const bool records = model_->may_record && batch.lengths.empty();
  std::vector<double> losses(static_cast<std::size_t>(shards));
  try {
    threads_.for_each(shards, [&](Index shard) {
      // LibTorch must not divide the work of one of our threads among threads of its own.
      at::set_num_threads(1);
      const auto s = static_cast<std::size_t>(shard);
      const random::Stream stream(seed_, dropout_key, static_cast<std::uint64_t>(number * shards + shard));
      const Slice slice = slice_of(batch, task_.kind, task_.shape, model.fixed_length(), shard * per_shard, per_shard);
      ForwardPass pass = model_->pass;
      pass.dropout_seed = stream.bits(0) >> 1U;
      if (records) {
        losses[s] = model_->repeat_gradient_of(slice, pass.dropout_seed, training_.label_smoothing);
        return;
      }
      const Tensor loss = model_->gradient_of(s, on_device(slice, model_->device), pass, training_.label_smoothing);
      // Read when all is asked for: a device computes on while the processor prepares what comes next.
      losses[s] = loss.item<double>();
      if (model_->on_host)
        for (Tensor& one : model_->found[s])
          if (one.defined()) one = one.contiguous();
    });
  } catch (const std::invalid_argument& refusal) {
    diverged(refusal.what(), batch);
  }
  double loss = 0;
  for (const double one : losses) loss += one * share;
  if (!std::isfinite(loss)) diverged(fmt::format("the loss is {}", loss), batch);
  if (model_->on_host) {
    model_->on_host->add_gradient(model_->found, share, first, threads_);
  } else if (!records) {
    if (first) model_->on_device->clear_gradient();
    for (const auto& of_shard : model_->found) model_->on_device->add_gradient(of_shard, share);
  }
  return loss;
}

void Trainer::update() {
  const double norm = model_->on_host ? model_->on_host->gradient_norm(threads_) : model_->on_device->gradient_norm();
  if (!std::isfinite(norm)) {
    const std::size_t p = model_->on_host ? model_->on_host->first_not_finite() : model_->on_device->first_not_finite();
    throw TrainingDiverged(state_.step,
                           fmt::format("the gradient of {} is not finite; lower training.learning_rate or give "
                                       "training.clip",
                                       parameters()[p].name));
  }
  const double rate = learning_rate(training_, state_.step);
  ++state_.step;
  if (model_->on_host) {
    model_->on_host->update(training_, rate, norm, moving_share, state_, threads_);
  } else {
    model_->on_device->update(training_, rate, norm, moving_share, state_.step);
    model_->ahead = true;
  }
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
    state_.best_weights = state().weights;
    state_.without_gain = 0;
  } else {
    ++state_.without_gain;
  }
  state_.stopped = training_.patience > 0 && state_.without_gain >= training_.patience;
}

void Trainer::take_best() {
  state();  // the moments stay those of the last step
  for (std::size_t p = 0; p < state_.weights.size(); ++p)
    std::copy(state_.best_weights[p].begin(), state_.best_weights[p].end(), state_.weights[p].begin());
  if (model_->on_device) model_->on_device->take(state_);
}

}  // namespace attest::training
