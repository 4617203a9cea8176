#include "kernels/quantity/sampled_mean.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "kernels/monte_carlo/affine_permutation.hpp"
#include "kernels/parallel/fold_blocks.hpp"
#include "kernels/statistics/anytime_interval.hpp"

namespace attest::quantities {
namespace {

constexpr std::uint64_t block_samples = 16;
constexpr std::int64_t kept_blocks = 64;
constexpr std::uint64_t replicates = 16;
constexpr std::uint64_t large_sample = 1 << 20;  // elements

struct Block {
  std::array<double, block_samples> values;
  std::uint64_t count = 0;
};

}  // namespace

statistics::Welford sampled_moments(const Execution& execution, const std::function<double(std::uint64_t)>& statistic,
                                    const std::function<void(double)>& see) {
  statistics::Welford all;
  parallel::fold_blocks<Block>(
      static_cast<std::int64_t>((execution.samples + block_samples - 1) / block_samples), execution.threads,
      kept_blocks,
      [&](std::int64_t number) {
        const std::uint64_t begin = static_cast<std::uint64_t>(number) * block_samples;
        Block block;
        block.count = std::min(block_samples, execution.samples - begin);
        for (std::uint64_t i = 0; i < block.count; ++i) block.values[i] = statistic(begin + i);
        return block;
      },
      [&](const Block& block) {
        statistics::Welford part;
        for (std::uint64_t i = 0; i < block.count; ++i) {
          part.add(block.values[i]);
          if (see) see(block.values[i]);
        }
        all.merge(part);
      });
  return all;
}

Outcome mean_outcome(const statistics::Welford& moments, const statistics::LawClass& known) {
  // A mean that does not exist has no interval, of whatever class.
  if (!std::isfinite(moments.mean())) return {moments.mean(), {}};
  const statistics::Interval interval = statistics::anytime_mean_interval(moments, known, error_level);
  return {moments.mean(), {std::fmin(interval.lower, moments.mean()), std::fmax(interval.upper, moments.mean())}};
}

Outcome share_outcome(std::uint64_t successes, std::uint64_t samples) {
  return {static_cast<double>(successes) / static_cast<double>(samples),
          statistics::anytime_share_interval(successes, samples, error_level)};
}

KnownLaw shares() {
  return [](const Arguments&) { return statistics::LawClass::in_range(0, 1); };
}

Parameter interval_parameter() {
  return Parameter::word("interval", "guaranteed", {"guaranteed", "asymptotic"},
                         "guaranteed: by the samples' known range where there is one; asymptotic: narrower, that of "
                         "normal samples");
}

statistics::LawClass bounded(const Arguments& at, double lower, double upper) {
  if (at.word("interval") == "asymptotic") return statistics::LawClass::asymptotic();
  return statistics::LawClass::in_range(lower, upper);
}

KnownLaw bounded_within(double lower, double upper) {
  return [lower, upper](const Arguments& at) { return bounded(at, lower, upper); };
}

Parameter sampling_parameter(std::vector<std::string> others, std::string meaning) {
  others.insert(others.begin(), "plain");
  return Parameter::word("sampling", "plain", std::move(others), std::move(meaning));
}

Outcome designed_mean(const Execution& execution, const std::string& sampling, std::size_t dimensions,
                      std::uint32_t key, const monte_carlo::PointStatistic& statistic) {
  using monte_carlo::Design;
  const bool quasi = sampling == "quasi";
  std::uint64_t in_each = std::bit_floor(std::max<std::uint64_t>(1, execution.samples / replicates));
  while (!quasi && !monte_carlo::is_prime_or_one(in_each)) --in_each;
  const monte_carlo::Points points{quasi ? Design::sobol : Design::latin_hypercube, dimensions, in_each, execution.seed,
                                   key};
  return mean_outcome(monte_carlo::replicate_means(points, replicates, statistic, execution.threads),
                      statistics::LawClass::asymptotic());
}

ThreadShare::ThreadShare(const Execution& execution, std::uint64_t elements)
    : over_samples(elements >= large_sample ? 1 : execution.threads),
      inner(elements >= large_sample ? execution.threads : 1) {}

}  // namespace attest::quantities
