// One cell of a table of skills: a variant trained with one seed, small enough to be done again rather than resumed.
#pragma once

#include <atomic>
#include <optional>

#include "simulations/experiment/experiment.hpp"
#include "simulations/journal/run_record.hpp"
#include "simulations/tasks/task.hpp"

namespace attest::training {

using experiment::Experiment;
using experiment::VariantSpec;
using tasks::Task;

/// Trains the variant on the calling thread and gives: test_accuracy and test_loss, or test_rmse where numbers are
/// asked; its cost (put_cost), in milliseconds of the thread's processor time; data_order, the first 52 bits of the
/// digest of its batches. A cell that diverges gives `diverged` alone, the step. Nothing when `stop` came first.
std::optional<journal::Results> train_cell(const Experiment& experiment, const Task& task, const VariantSpec& variant,
                                           std::uint64_t seed, const std::atomic<bool>& stop);

}  // namespace attest::training
