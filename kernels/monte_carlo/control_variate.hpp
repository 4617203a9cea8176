// Means by simulation with less variance: control variates with known means.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "kernels/statistics/welford.hpp"

namespace attest::monte_carlo {

/// Value of sample number `sample`; fills `controls`, each of which has mean 0 (its known mean has been taken off). A
/// pure function of the sample's number, called from several threads at once.
using ControlledStatistic = std::function<double(std::uint64_t sample, std::span<double> controls)>;

/// Moments of the same samples plain and with the controls' share taken off.
struct ReducedMoments {
  statistics::Welford reduced, plain;
  std::vector<double> coefficients;  ///< of the controls
};

/// Moments of value - b . controls over `samples` samples, where b are the regression coefficients of `pilot` other
/// samples: E (value - b . controls) = E value whatever b is, and given the pilot the samples are independent, so that
/// intervals for independent observations hold. Samples 0 ... pilot - 1 are the pilot. Where controls depend on each
/// other linearly in the pilot the shortest b is taken. Memory: the pilot's values, 16 samples of a block; the bits do
/// not depend on `threads`. Errors: std::invalid_argument for fewer than 2 samples or a pilot of fewer than 4 samples
/// more than twice the controls.
ReducedMoments reduced_moments(const ControlledStatistic& statistic, std::size_t controls, std::uint64_t samples,
                               std::uint64_t pilot, unsigned threads);

}  // namespace attest::monte_carlo
