// What every variant must pass before the first step of any.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "simulations/experiment/experiment.hpp"
#include "simulations/models/torch.hpp"
#include "simulations/tasks/task.hpp"

namespace attest::training {

using attention::Index;
using experiment::Experiment;
using experiment::TrainingSpec;
using experiment::VariantSpec;
using tasks::Task;

/// Scores [B N][classes] of B sequences of N tokens, one after the other.
using ScoresOf = std::function<at::Tensor(const std::vector<std::int64_t>& tokens)>;

/// That no score depends on a later token: the tokens from a position on are replaced by others, and the scores before
/// it must stay, up to `admitted_share` of their size, which float32 rounds within. Every position for up to 64 tokens,
/// 64 of them spread evenly otherwise.
/// Errors: std::invalid_argument, "NAME leaks: ..." with the position that sees and the first one that it may not.
void require_causal(const std::string& name, const ScoresOf& scores, Index tokens, Index vocabulary);

inline constexpr double admitted_share = 1e-4;

/// That a sequence's scores are its own: the same beside itself and beside others, as above.
/// Errors: std::invalid_argument, "NAME leaks: ..." with the first position whose answer moves.
void require_own(const std::string& name, const ScoresOf& scores, Index tokens, Index vocabulary);

/// require_causal and require_own of a language model whose parameters are drawn anew, all of a size that tells
/// (weights as large as their inputs allow, so that a leak is no smaller than the rest); with experts both as it is
/// evaluated and as it is trained, which give them other room. Models that are not causal by their kind pass.
void require_causal(const VariantSpec& variant, const TrainingSpec& training, const Task& task);

/// The loss of knowing nothing: the logarithm of the number of classes, or the mean square of the numbers that a few
/// training examples ask.
double loss_of_guessing(const Task& task);

/// A model's loss on a few training examples before the first step, and that of knowing nothing.
struct StartLoss {
  double loss = 0, of_guessing = 0;
};

/// Errors: std::invalid_argument when the loss is not finite, below half of `of_guessing` (the model knows answers that
/// nobody taught it: a leak) or above 3/2 of it and 1/2 more (scores of variance 1, which cost 1/2 nat on average, are
/// larger than any start here).
StartLoss require_fair_start(const VariantSpec& variant, const TrainingSpec& training, const Task& task,
                             std::uint64_t seed);

/// How the loss on one small batch falls when it is the only one.
struct Overfit {
  double from = 0, to = 0;
  Index steps = 0;
};

/// Adam on two training examples alone, without dropout, until the loss has lost 30 percent: in at most 100 steps of
/// rate 0.01, or else of rate 0.001. Errors: std::invalid_argument when neither comes that far.
Overfit require_overfit(const VariantSpec& variant, const TrainingSpec& training, const Task& task, std::uint64_t seed);

/// All gates of one variant. Returns one sentence for the reader, with the number of parameters and how it differs from
/// the baseline's. Errors: as above.
std::string pass_gates(const VariantSpec& variant, const Experiment& experiment, const Task& task,
                       std::int64_t baseline_parameters);

/// Of all variants, in their order. Errors: as above; std::invalid_argument also for a variant that cannot be built.
std::vector<std::string> pass_gates(const Experiment& experiment, const Task& task);

/// Builds every variant and lets it answer once. Errors: std::invalid_argument with file and line of [model], and the
/// variant that does not fit the task.
void require_buildable(const Experiment& experiment, const Task& task);

/// Parameters of the variant's model for this task. Errors: as Transformer.
std::int64_t parameter_count(const VariantSpec& variant, const Task& task);

}  // namespace attest::training
