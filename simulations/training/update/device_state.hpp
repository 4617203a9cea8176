// A run's weights, gradient and Adam's moments where the model runs, so that a step moves none of them.
#pragma once

#include <vector>

#include "simulations/checkpoints/checkpoint.hpp"
#include "simulations/experiment/experiment.hpp"
#include "simulations/models/torch.hpp"

namespace attest::training {

using checkpoints::TrainerState;
using experiment::TrainingSpec;
using models::ParameterSpec;

/// One tensor each of all weights, gradients and moments, in which every parameter has its place: an update is then a
/// few operations on whole tensors. It computes what `adam_step` does on the processor (training/update/adam.hpp), with
/// the rounding of LibTorch's operations.
class DeviceState {
 public:
  DeviceState(const std::vector<ParameterSpec>& parameters, const at::Device& device);

  /// Every parameter's weights, in the order and with the shapes of the list: places of the one tensor that are leaves
  /// of a graph. An update changes them in place.
  std::vector<at::Tensor> leaves() const;

  /// Copies weights and moments here.
  void take(const TrainerState& state);
  /// Copies weights and moments into a state of the same parameters.
  void give(TrainerState& state) const;

  /// The gradient becomes 0.
  void clear_gradient();
  /// The gradient grows by `share` times `found`, one tensor per parameter; undefined ones count 0.
  void add_gradient(const std::vector<at::Tensor>& found, double share);

  /// sqrt(sum of squares) over the parameters that are learned.
  double gradient_norm() const;
  /// The first parameter whose gradient has an entry that is not a finite number. Precondition: there is one.
  std::size_t first_not_finite() const;

  /// Step number `step`, from 1, at learning rate `rate`, with the gradient clipped to `training.clip` from its norm
  /// `norm`; measured parameters go the share `moving_share` of their way instead.
  void update(const TrainingSpec& training, double rate, double norm, double moving_share, std::int64_t step);

 private:
  struct Place {
    std::int64_t first, entries;
    std::vector<std::int64_t> shape;
  };
  at::Tensor part(const at::Tensor& all, const Place& place) const;

  std::vector<Place> places_;                // of each parameter
  std::int64_t decaying_ = 0, learned_ = 0;  // entries: weight decay acts on the first, training on all of these
  at::Tensor weights_, gradient_, first_moments_, second_moments_;
  std::vector<at::Tensor> gradients_;  // places of gradient_
};

}  // namespace attest::training
