#include "simulations/training/update/host_update.hpp"

#include <algorithm>
#include <cmath>

#include "simulations/training/update/adam.hpp"

namespace attest::training {

namespace {

constexpr std::size_t updated_entries = 1U
                                        << 15U;  // of a block of an update: a few blocks per thread, each in its cache

}  // namespace

HostUpdate::HostUpdate(const std::vector<ParameterSpec>& parameters) : parameters_(parameters) {
  for (std::size_t number = 0; number < parameters.size(); ++number) {
    const auto size = static_cast<std::size_t>(parameters[number].entries());
    gradient_.emplace_back(size);
    for (std::size_t first = 0; first < size; first += updated_entries)
      chunks_.push_back({number, first, std::min(updated_entries, size - first)});
  }
  squares_.resize(chunks_.size());
}

void HostUpdate::add_gradient(const std::vector<std::vector<at::Tensor>>& shards, double share, bool first,
                              ShardThreads& threads) {
  threads.for_each(static_cast<Index>(chunks_.size()), [&](Index index) {
    const Chunk& chunk = chunks_[static_cast<std::size_t>(index)];
    const std::span<float> to = part_of(gradient_[chunk.parameter], chunk);
    bool fresh = first;
    for (const auto& of_shard : shards) {
      const at::Tensor& one = of_shard[chunk.parameter];
      if (!one.defined()) continue;
      training::add_gradient(to, {one.data_ptr<float>() + chunk.first, chunk.count}, static_cast<float>(share), fresh);
      fresh = false;
    }
    if (fresh) std::fill(to.begin(), to.end(), 0.0F);
  });
}

double HostUpdate::gradient_norm(ShardThreads& threads) {
  threads.for_each(static_cast<Index>(chunks_.size()), [&](Index index) {
    const Chunk& chunk = chunks_[static_cast<std::size_t>(index)];
    squares_[static_cast<std::size_t>(index)] =
        parameters_[chunk.parameter].statistic ? 0 : square_sum(part_of(gradient_[chunk.parameter], chunk));
  });
  double squares = 0;
  for (const double of_chunk : squares_) squares += of_chunk;
  return std::sqrt(squares);
}

std::size_t HostUpdate::first_not_finite() const {
  const auto bad = std::find_if_not(squares_.begin(), squares_.end(), [](double s) { return std::isfinite(s); });
  return chunks_[static_cast<std::size_t>(bad - squares_.begin())].parameter;
}

void HostUpdate::update(const TrainingSpec& training, double rate, double norm, float moving_share, TrainerState& state,
                        ShardThreads& threads) {
  threads.for_each(static_cast<Index>(chunks_.size()), [&](Index index) {
    const Chunk& chunk = chunks_[static_cast<std::size_t>(index)];
    const std::size_t p = chunk.parameter;
    const std::span<float> gradient = part_of(gradient_[p], chunk);
    if (parameters_[p].statistic) {
      const std::span<float> moving = part_of(state.weights[p], chunk);
      for (std::size_t i = 0; i < moving.size(); ++i) moving[i] += moving_share * (gradient[i] - moving[i]);
      return;
    }
    if (training.clip > 0 && norm > training.clip) scale(gradient, static_cast<float>(training.clip / norm));
    const bool decays = parameters_[p].decays() || training.optimiser == TrainingSpec::Optimiser::adam;
    adam_step(training, state.step, rate, decays ? training.weight_decay : 0, part_of(state.weights[p], chunk),
              gradient, {part_of(state.first_moments[p], chunk), part_of(state.second_moments[p], chunk)});
  });
}

}  // namespace attest::training
