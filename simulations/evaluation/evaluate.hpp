// What [evaluation] asks of a trained model, as metrics of its run.
#pragma once

#include <cstdint>

#include "simulations/checkpoints/trained_model.hpp"
#include "simulations/experiment/experiment.hpp"
#include "simulations/journal/run_record.hpp"

namespace attest::evaluation {

using checkpoints::TrainedModel;
using experiment::EvaluationSpec;
using experiment::Experiment;
using tasks::Task;

/// Errors: std::invalid_argument with the key when [evaluation] asks for what the experiment's kind of model does not
/// have: attacks on pixels for anything but vision, swapped words for what reads no tokens. To be called before
/// training.
void require_evaluable(const Experiment& experiment);

/// The same for what only the data tell: whether their tokens can spell a swapped word.
void require_evaluable(const Experiment& experiment, const Task& task);

/// The metrics, over the first examples of the test part (the validation part where there is no test part):
/// fgsm_B_accuracy, fgsm_B_loss (B = 0: unharmed), fgsm_zero_gradients, fgsm_loss_rises (1 or 0); the same for pgd and
/// spsa; noise_B_accuracy and noise_B_loss at all their radii; those of corruption_errors;
/// language: words_clean_perplexity, words_swapped_perplexity; texts with classes: words_clean_accuracy,
/// words_clean_loss and the same swapped; token_cosine_layer_L; head_distance_layer_L; attention_flops, product_flops,
/// attention_bytes, example_seconds, process_peak_bytes.
journal::Results evaluate(const TrainedModel& model, const Task& task, const EvaluationSpec& spec, std::uint64_t seed,
                          unsigned threads);

}  // namespace attest::evaluation
