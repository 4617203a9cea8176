// Errors on corrupted images.
#pragma once

#include "simulations/checkpoints/trained_model.hpp"
#include "simulations/experiment/evaluation_spec.hpp"
#include "simulations/journal/run_record.hpp"

namespace attest::evaluation {

using checkpoints::TrainedModel;
using experiment::EvaluationSpec;
using tasks::Task;

/// Shares of wrong answers to the first spec.examples images of the evaluated part under the asked corruptions, at
/// severities 1 to 5: corrupted_KIND_error (mean over severities), corrupted_severity_S_error and corrupted_error
/// (means over the kinds), uncorrupted_error. The images are published ones where the task has a folder of them
/// (Task::corrupted), else data::corrupted of one seed, the same for every model.
/// Precondition: a vision model with classes. Errors: those of read_corrupted and corrupted.
journal::Results corruption_errors(const TrainedModel& model, const Task& task, const EvaluationSpec& spec,
                                   unsigned threads);

}  // namespace attest::evaluation
