#include "kernels/monte_carlo/estimate.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "kernels/parallel/blocks.hpp"

namespace attest::monte_carlo {
namespace {

void require_positive(const char* what, double value) {
  if (!(value > 0)) throw std::invalid_argument(fmt::format("{} = {} is not positive", what, value));
}

}  // namespace

BlockStatistic by_sample(Statistic statistic) {
  return [statistic = std::move(statistic)](std::uint64_t first, std::span<double> values) {
    for (double& value : values) value = statistic(first++);
  };
}

Estimate simulate(const BlockStatistic& statistic, statistics::Range range, const Settings& settings,
                  const StoppingRule& stop, statistics::Sides sides) {
  if (settings.max_samples == 0 || settings.block_samples == 0)
    throw std::invalid_argument(fmt::format("simulate: max_samples = {} and block_samples = {} must both be positive",
                                            settings.max_samples, settings.block_samples));
  // A batch doubles up to this many blocks: little is thrown away by an early stop, and threads are kept busy later.
  constexpr std::uint64_t largest_batch = 32;
  statistics::BettingSequence sequence(range, settings.alpha, sides);
  std::vector<double> values;
  Estimate estimate;
  std::uint64_t done = 0;
  for (std::uint64_t batch = 1; done < settings.max_samples; batch = std::min(2 * batch, largest_batch)) {
    const std::uint64_t count = std::min(batch * settings.block_samples, settings.max_samples - done);
    const std::uint64_t blocks = (count + settings.block_samples - 1) / settings.block_samples;
    values.assign(count, 0.0);
    const auto block_values = [&](std::uint64_t block) {
      const std::uint64_t start = block * settings.block_samples;
      return std::span(values).subspan(start, std::min(settings.block_samples, count - start));
    };
    parallel::for_each_block(static_cast<std::int64_t>(blocks), settings.threads, [&](std::int64_t index) {
      const auto block = static_cast<std::uint64_t>(index);
      statistic(done + block * settings.block_samples, block_values(block));
    });
    for (std::uint64_t block = 0; block < blocks; ++block) {
      sequence.update(block_values(block));
      estimate = {sequence.interval(), sequence.mean(), sequence.variance(), sequence.samples()};
      if (stop(estimate)) return estimate;
    }
    done += count;
  }
  return estimate;
}

TestResult test_mean_at_most(const BlockStatistic& statistic, statistics::Range range, double bound, double resolution,
                             const Settings& settings) {
  require_positive("test_mean_at_most: resolution", resolution);
  const auto decide = [&](const Estimate& estimate) {
    if (estimate.interval.lower > bound) return Decision::refuted;
    return estimate.interval.upper <= bound + resolution ? Decision::supported : Decision::undecided;
  };
  TestResult result;
  result.estimate = simulate(statistic, range, settings,
                             [&](const Estimate& estimate) { return decide(estimate) != Decision::undecided; });
  result.decision = decide(result.estimate);
  return result;
}

Estimate estimate_mean(const BlockStatistic& statistic, statistics::Range range, double half_width,
                       const Settings& settings) {
  require_positive("estimate_mean: half_width", half_width);
  return simulate(statistic, range, settings,
                  [&](const Estimate& estimate) { return estimate.interval.width() <= 2 * half_width; });
}

}  // namespace attest::monte_carlo
