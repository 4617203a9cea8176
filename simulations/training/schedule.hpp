// The learning rate over a training.
#pragma once

#include "simulations/experiment/experiment.hpp"

namespace attest::training {

using attention::Index;
using experiment::TrainingSpec;

/// The rate of step `step` = 0 .. steps - 1: rising linearly, (step + 1) / (warmup + 1) of the full one, over the first
/// `warmup` steps; then to `final_learning_rate` at `steps` along a half cosine, linearly, or not at all.
double learning_rate(const TrainingSpec& training, Index step);

}  // namespace attest::training
