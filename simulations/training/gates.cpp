#include "simulations/training/gates.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include "kernels/random/stream.hpp"
#include "reports/text/numbers.hpp"
#include "simulations/checkpoints/checkpoint.hpp"
#include "simulations/tasks/batch_tensors.hpp"
#include "simulations/training/trainer.hpp"
#include "simulations/training/update/adam.hpp"

namespace attest::training {

using checkpoints::Values;
using models::ForwardPass;
using models::Initial;
using models::ParameterSpec;
using models::Transformer;
using tasks::Batch;
using tasks::loss_of;
using tasks::Slice;
namespace {

using at::Tensor;

constexpr Index examined = 16;        // examples of the start loss
constexpr Index overfitted = 2;       // examples of the batch to overfit
constexpr double wanted_share = 0.7;  // of the loss there
constexpr Index most_steps = 100;     // and within
constexpr Index checked_positions = 64;

[[noreturn]] void refuse(const std::string& sentence) { throw std::invalid_argument(sentence); }

/// A model on the processor with weights of its own.
struct Built {
  Transformer model;
  ForwardPass pass;
  Values weights;
  std::vector<Tensor> leaves;

  Built(const VariantSpec& variant, const TrainingSpec& training, const Task& task, std::uint64_t seed)
      : model(variant.model, task.shape) {
    pass.by_operations = training.operations;
    for (const ParameterSpec& parameter : model.parameters()) weights.push_back(initial_values(parameter, seed));
  }

  void share() {
    leaves.clear();
    for (std::size_t p = 0; p < weights.size(); ++p)
      leaves.push_back(at::from_blob(weights[p].data(), model.parameters()[p].shape, at::kFloat).requires_grad_(true));
  }

  Tensor loss(const Slice& slice) const {
    return loss_of(model.logits(leaves, slice.input, pass), slice.answers, at::Reduction::Mean, 0);
  }
};

/// Weights whose products are as large as what goes in; what starts at a number is moved by a fifth of it, or from 0 by
/// 0.3, so that parameters which start without effect have one.
void draw_telling_weights(Built& built) {
  std::uint64_t number = 0;
  for (const ParameterSpec& parameter : built.model.parameters()) {
    random::Stream stream(1, random::stream_key("gates/" + parameter.name), number++);
    const auto in = static_cast<double>(parameter.shape.empty() ? 1 : parameter.shape.back());
    for (float& value : built.weights[number - 1]) {
      const bool starts_at_one_number = parameter.initial.law == Initial::Law::constant;
      const auto start = static_cast<double>(value);
      value = static_cast<float>(!starts_at_one_number ? stream.normal() / std::sqrt(in)
                                 : start != 0          ? start * (1 + 0.2 * stream.uniform())
                                                       : 0.3 * stream.normal());
    }
  }
}

/// A few examples of the training part.
Batch first_examples(const Task& task, Index count) {
  const auto there = static_cast<Index>(task.examples(task.train));
  return task.batch(task.train, 0, static_cast<std::size_t>(std::min(count, there)));
}

Slice all_of(const Batch& batch, const Task& task, const Transformer& model) {
  return slice_of(batch, task.kind, task.shape, model.fixed_length(), 0, batch.count);
}

Overfit overfit(const VariantSpec& variant, const TrainingSpec& training, const Task& task, std::uint64_t seed,
                double rate) {
  Built built(variant, training, task, seed);
  built.share();
  const Batch batch = first_examples(task, overfitted);
  const Slice slice = all_of(batch, task, built.model);
  TrainingSpec adam;
  Values first, second;
  for (const std::vector<float>& weights : built.weights) {
    first.emplace_back(weights.size());
    second.emplace_back(weights.size());
  }
  Overfit found;
  for (Index step = 1; step <= most_steps; ++step) {
    const torch::autograd::AutoGradMode on(true);
    const Tensor loss = built.loss(slice);
    found.to = loss.item<double>();
    found.steps = step - 1;
    if (step == 1) found.from = found.to;
    if (!std::isfinite(found.to) || found.to <= wanted_share * found.from) return found;
    const auto gradients = torch::autograd::grad({loss}, built.leaves, {}, false, false, true);
    for (std::size_t p = 0; p < gradients.size(); ++p) {
      if (!gradients[p].defined()) continue;
      const Tensor gradient = gradients[p].contiguous();
      adam_step(adam, step, rate, 0, built.weights[p], {gradient.data_ptr<float>(), built.weights[p].size()},
                {first[p], second[p]});
    }
  }
  return found;
}

/// Tokens of a sequence, and at every place another one.
struct Poison {
  std::vector<std::int64_t> sequence, others;
};

Poison draw_poison(Index tokens, Index vocabulary) {
  random::Stream stream(1, random::stream_key("gates/causality"), 0);
  Poison drawn;
  for (Index i = 0; i < tokens; ++i) {
    drawn.sequence.push_back(static_cast<std::int64_t>(stream.integer(static_cast<std::uint64_t>(vocabulary))));
    drawn.others.push_back((drawn.sequence.back() + 1) % vocabulary);
  }
  return drawn;
}

/// The first position whose scores moved by more than rounding moves them; -1 where none did.
Index first_moved(const Tensor& clean, const Tensor& poisoned) {
  const Tensor moved = (poisoned - clean).abs().amax(1);
  const double admitted = admitted_share * (1 + clean.abs().max().item<double>());
  if (moved.max().item<double>() <= admitted) return -1;
  return moved.gt(admitted).to(at::kInt).argmax().item<Index>();
}

}  // namespace

void require_own(const std::string& name, const ScoresOf& scores, Index tokens, Index vocabulary) {
  const Poison drawn = draw_poison(tokens, vocabulary);
  const torch::autograd::AutoGradMode off(false);
  const auto behind = [&](std::vector<std::int64_t> batch) {
    batch.insert(batch.end(), drawn.sequence.begin(), drawn.sequence.end());
    return scores(batch).narrow(0, tokens, tokens);
  };
  if (const Index moved = first_moved(behind(drawn.sequence), behind(drawn.others)); moved >= 0)
    refuse(
        fmt::format("{} leaks: its answer at position {} of a sequence changes with the other sequences of the batch, "
                    "whose tokens may come later in the text; it is not a language model",
                    name, moved));
}

void require_causal(const std::string& name, const ScoresOf& scores, Index tokens, Index vocabulary) {
  const Poison drawn = draw_poison(tokens, vocabulary);
  const torch::autograd::AutoGradMode off(false);
  const Tensor clean = scores(drawn.sequence);
  const Index stride = std::max<Index>(1, tokens / checked_positions);
  for (Index from = 1; from < tokens; from += stride) {
    std::vector<std::int64_t> poisoned(drawn.sequence.begin(), drawn.sequence.begin() + from);
    poisoned.insert(poisoned.end(), drawn.others.begin() + from, drawn.others.end());
    const Index moved = first_moved(clean.narrow(0, 0, from), scores(poisoned).narrow(0, 0, from));
    if (moved < 0) continue;
    refuse(
        fmt::format("{} leaks: its answer at position {} changes with the tokens from position {} on, which come "
                    "later; it is not a language model",
                    name, moved, from));
  }
}

void require_causal(const VariantSpec& variant, const TrainingSpec& training, const Task& task) {
  if (!traits_of(task.kind).causal()) return;
  Built built(variant, training, task, 1);
  draw_telling_weights(built);
  built.share();
  at::set_num_threads(1);
  const ScoresOf scores = [&](const std::vector<std::int64_t>& tokens) {
    return built.model.logits(built.leaves, {at::tensor(tokens, at::kLong).view({-1, task.context})}, built.pass);
  };
  for (const bool trained : {false, true}) {
    if (trained && !has_experts(variant.model)) continue;
    built.pass.training = trained;
    require_causal(variant.name, scores, task.context, task.shape.classes);
    require_own(variant.name, scores, task.context, task.shape.classes);
  }
}

double loss_of_guessing(const Task& task) {
  if (!task.shape.regression) return std::log(static_cast<double>(task.shape.classes));
  double squares = 0, asked = 0;
  for (const float target : first_examples(task, examined).targets) {
    if (std::isnan(target)) continue;
    squares += static_cast<double>(target) * static_cast<double>(target);
    ++asked;
  }
  return squares / asked;
}

StartLoss require_fair_start(const VariantSpec& variant, const TrainingSpec& training, const Task& task,
                             std::uint64_t seed) {
  Built built(variant, training, task, seed);
  built.share();
  at::set_num_threads(1);
  const torch::autograd::AutoGradMode off(false);
  const Batch batch = first_examples(task, examined);
  const Slice slice = all_of(batch, task, built.model);
  const StartLoss start{built.loss(slice).item<double>(), loss_of_guessing(task)};
  const double least = start.of_guessing / 2, most = 1.5 * start.of_guessing + 0.5;
  if (!std::isfinite(start.loss) || start.loss > most)
    refuse(
        fmt::format("{} starts with the loss {:.4g}, where knowing nothing gives {:.4g}: its scores are too large "
                    "before the first step; lower model.deviation",
                    variant.name, start.loss, start.of_guessing));
  if (start.loss < least)
    refuse(
        fmt::format("{} starts with the loss {:.4g}, where knowing nothing gives {:.4g}: it knows answers that "
                    "nobody taught it, so they leak into what it reads",
                    variant.name, start.loss, start.of_guessing));
  return start;
}

Overfit require_overfit(const VariantSpec& variant, const TrainingSpec& training, const Task& task,
                        std::uint64_t seed) {
  at::set_num_threads(1);
  Overfit last;
  for (const double rate : {0.01, 0.001}) {
    last = overfit(variant, training, task, seed, rate);
    if (last.to <= wanted_share * last.from) return last;
  }
  refuse(
      fmt::format("{} cannot overfit {} examples: after {} on them alone the loss is {:.4g}, from {:.4g}; "
                  "look for examples that contradict each other, or parts of the model without gradients",
                  variant.name, overfitted, reports::counted(last.steps, "step"), last.to, last.from));
}

std::int64_t parameter_count(const VariantSpec& variant, const Task& task) {
  std::int64_t count = 0;
  const Transformer model(variant.model, task.shape);
  for (const ParameterSpec& parameter : model.parameters()) count += parameter.entries();
  return count;
}

void require_buildable(const Experiment& experiment, const Task& task) {
  for (const VariantSpec& variant : experiment.variants) {
    try {
      Trainer(variant.model, experiment.training, task, experiment.seed, 1).try_out();
    } catch (const std::invalid_argument& failure) {
      refuse(fmt::format("{} ([model], as the variant {} has it): {}", experiment.model_place, variant.name,
                         failure.what()));
    }
  }
}

std::string pass_gates(const VariantSpec& variant, const Experiment& experiment, const Task& task,
                       std::int64_t baseline_parameters) {
  const TrainingSpec& training = experiment.training;
  const std::int64_t size = parameter_count(variant, task), more = size - baseline_parameters;
  std::string sentence = fmt::format("{}: {}", variant.name, reports::counted(size, "parameter"));
  if (more != 0)
    sentence += fmt::format(" ({}{} to {}, {:+.2f} %)", more > 0 ? "+" : "",
                            reports::readable_count(static_cast<double>(more)), experiment.comparison.baseline,
                            100 * static_cast<double>(more) / static_cast<double>(baseline_parameters));
  if (!training.gates) return sentence + ", gates left out";
  require_causal(variant, training, task);
  const StartLoss start = require_fair_start(variant, training, task, experiment.seed);
  const Overfit batch = require_overfit(variant, training, task, experiment.seed);
  return sentence + fmt::format("; starts at {:.3f} (knowing nothing: {:.3f}), overfits a batch to {:.3f} in {}{}",
                                start.loss, start.of_guessing, batch.to, reports::counted(batch.steps, "step"),
                                traits_of(task.kind).causal() ? ", sees nothing later" : "");
}

std::vector<std::string> pass_gates(const Experiment& experiment, const Task& task) {
  std::int64_t baseline = 0;
  for (const VariantSpec& variant : experiment.variants)
    if (variant.name == experiment.comparison.baseline) baseline = parameter_count(variant, task);
  std::vector<std::string> sentences;
  for (const VariantSpec& variant : experiment.variants)
    sentences.push_back(pass_gates(variant, experiment, task, baseline));
  return sentences;
}

}  // namespace attest::training
