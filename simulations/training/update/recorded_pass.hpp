// A pass through a model and back on a CUDA device as one launch, whatever the batch.
#pragma once

#include <functional>

#include "simulations/models/device/work.hpp"
#include "simulations/tasks/batch_tensors.hpp"

namespace attest::training {

/// The batch, the seed of dropout and the loss lie in places that stay, since the recording names them.
class RecordedPass {
 public:
  /// Asks the device for what is to be done with a batch there, and returns its loss.
  using Work = std::function<at::Tensor(const tasks::Slice&, const models::ForwardPass&)>;

  /// Passes like `pass` on batches of the shapes of `like`, which may lie elsewhere.
  RecordedPass(const tasks::Slice& like, models::ForwardPass pass, const at::Device& device);

  /// Does the work on a batch under that pattern of dropout and returns the loss. The first call records the work
  /// (models::RecordedWork), whose preconditions hold; later calls repeat what was recorded then.
  double operator()(const tasks::Slice& slice, std::uint64_t dropout_seed, const Work& work);

 private:
  tasks::Slice slice_;
  models::ForwardPass pass_;
  at::Tensor loss_;
  models::RecordedWork recorded_;
};

}  // namespace attest::training
