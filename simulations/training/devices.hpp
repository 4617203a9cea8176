// The device that a training runs on.
#pragma once

#include "simulations/experiment/experiment.hpp"
#include "simulations/models/transformer/transformer.hpp"

namespace attest::training {

using experiment::TrainingSpec;

/// Errors: std::runtime_error in one sentence where training.device is "cuda" and this build of LibTorch, or the
/// machine, has none.
void require_device(const TrainingSpec& training);

/// The device of LibTorch's tensors. Precondition: require_device.
at::Device device_of(const TrainingSpec& training);

/// How passes through a model are computed there; without dropout.
models::ForwardPass pass_of(const TrainingSpec& training);

/// Among several CUDA devices those who train in turn take them in turn: `number` is the rank of an MPI program. Also
/// asks LibTorch for deterministic algorithms there. To be called once, before the first tensor is on a device.
void use_device(const TrainingSpec& training, int number);

}  // namespace attest::training
