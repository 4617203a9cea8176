// Means by simulation: stopped as soon as they are decided, with the same bits for any number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "kernels/statistics/confidence_sequence.hpp"

namespace attest::monte_carlo {

/// Value of the statistic for sample number `sample`: a pure function of that number (its random numbers come from
/// kernels/random, keyed by the sample). Called from several threads at once.
using Statistic = std::function<double(std::uint64_t sample)>;

/// Fills values[i] with the statistic of sample first + i; for statistics that share a workspace inside a block. Must
/// not depend on how samples are grouped into blocks. Called from several threads at once.
using BlockStatistic = std::function<void(std::uint64_t first, std::span<double> values)>;

/// The block form of a statistic of single samples.
BlockStatistic by_sample(Statistic statistic);

/// How a simulation is run. Only `threads` does not affect the result.
struct Settings {
  double alpha = 1e-9;               ///< error level of the whole confidence sequence
  std::uint64_t max_samples = 0;     ///< observations after which the simulation ends undecided
  std::uint64_t block_samples = 64;  ///< observations between two looks at the stopping rule
  unsigned threads = 1;              ///< 0: one per core
};

/// A mean with its confidence interval.
struct Estimate {
  statistics::Interval interval;  ///< contains the mean with probability at least 1 - alpha, whatever made it stop
  double mean = 0;                ///< of the observations
  double variance = 0;            ///< of one observation
  std::uint64_t samples = 0;      ///< observations used
};

/// Whether to stop, asked at the end of every block.
using StoppingRule = std::function<bool(const Estimate&)>;

/// Streams samples 0, 1, 2, ... into a BettingSequence in sample order until `stop` holds at a block's end or
/// max_samples are used. Blocks are evaluated in parallel, a batch at a time, and combined in order; what was computed
/// beyond the stopping block is thrown away, so every bit of the result is a function of the statistic, the range and
/// `settings` without its threads. Memory: one batch of values.
/// Errors: std::invalid_argument for max_samples or block_samples of 0, a bad range or alpha, and for an observation
/// that is NaN or outside the range (naming the sample); exceptions of the statistic pass through.
Estimate simulate(const BlockStatistic& statistic, statistics::Range range, const Settings& settings,
                  const StoppingRule& stop, statistics::Sides sides = statistics::Sides::two_sided);

/// What a test of a mean against a bound concluded.
enum class Decision { refuted, supported, undecided };

/// Conclusion and evidence.
struct TestResult {
  Decision decision = Decision::undecided;
  Estimate estimate;
};

/// Tests "mean <= bound": refuted when the interval lies above the bound, supported when it lies at or below
/// bound + resolution, undecided when max_samples did not suffice for either.
/// P(refuted although mean <= bound) <= alpha/2, P(supported although mean > bound + resolution) <= alpha/2.
/// Errors: as simulate; std::invalid_argument for a resolution that is not positive.
TestResult test_mean_at_most(const BlockStatistic& statistic, statistics::Range range, double bound, double resolution,
                             const Settings& settings);

/// Simulates until the interval's half width is at most `half_width` or max_samples are used. Errors: as simulate;
/// std::invalid_argument for a half_width that is not positive.
Estimate estimate_mean(const BlockStatistic& statistic, statistics::Range range, double half_width,
                       const Settings& settings);

}  // namespace attest::monte_carlo
