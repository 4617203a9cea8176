// A step's update on the processor: the gradient as sums over shards in their order, and Adam, divided among threads so
// that no sum depends on how many there are.
#pragma once

#include <span>
#include <vector>

#include "simulations/checkpoints/checkpoint.hpp"
#include "simulations/experiment/experiment.hpp"
#include "simulations/models/torch.hpp"
#include "simulations/training/update/shard_threads.hpp"

namespace attest::training {

using checkpoints::TrainerState;
using checkpoints::Values;
using experiment::TrainingSpec;
using models::ParameterSpec;

class HostUpdate {
 public:
  /// `parameters` must outlive it.
  explicit HostUpdate(const std::vector<ParameterSpec>& parameters);

  /// The gradient becomes (first) or grows by `share` times the sum of what the shards found: one contiguous float
  /// tensor of the processor per parameter, undefined ones counting 0.
  void add_gradient(const std::vector<std::vector<at::Tensor>>& shards, double share, bool first,
                    ShardThreads& threads);

  /// sqrt(sum of squares) over the parameters that are learned.
  double gradient_norm(ShardThreads& threads);
  /// The first learned parameter whose part of the last norm is not a finite number. Precondition: there is one.
  std::size_t first_not_finite() const;

  /// `adam_step` of every learned parameter with the gradient clipped to `training.clip` from its norm `norm`; measured
  /// parameters go the share `moving_share` of their way. `state.step` is the number of this step, from 1.
  void update(const TrainingSpec& training, double rate, double norm, float moving_share, TrainerState& state,
              ShardThreads& threads);

 private:
  /// A run of one parameter's entries.
  struct Chunk {
    std::size_t parameter = 0, first = 0, count = 0;
  };
  static std::span<float> part_of(std::vector<float>& values, const Chunk& chunk) {
    return std::span(values).subspan(chunk.first, chunk.count);
  }

  const std::vector<ParameterSpec>& parameters_;
  Values gradient_;
  std::vector<Chunk> chunks_;
  std::vector<double> squares_;  // of each chunk
};

}  // namespace attest::training
