// Means by simulation with less variance: control variates with known means, and antithetic pairs.
#pragma once

#include <cstdint>
#include <functional>

namespace attest::monte_carlo {

/// One sample of what is wanted and of a control whose mean is known.
struct ControlledSample {
  double value = 0, control = 0;
};

/// Sample number `sample` with its noise as drawn (sign 1) or negated (sign -1): a pure function of both. For a noise
/// law that is symmetric both are draws of the same law. Called from several threads at once.
using SignedStatistic = std::function<ControlledSample(std::uint64_t sample, int sign)>;

/// A mean, plain and with its variance reduced, from the same samples.
struct ReducedMean {
  double mean = 0, standard_error = 0;              ///< with the control and, if asked for, in pairs
  double plain_mean = 0, plain_standard_error = 0;  ///< of the values alone, sign 1
  double coefficient = 0;                           ///< of the control
};

/// E value from `samples` samples as mean(value - b (control - control_mean)), where b is the regression coefficient of
/// a pilot of `pilot` other samples, so that the estimate is unbiased whatever b is. `antithetic` averages signs 1 and
/// -1 of each sample before anything else. Samples 0 ... pilot - 1 are the pilot, the next `samples` the estimate.
/// Memory: one number a block of 256 samples; the bits do not depend on `threads`. Errors: std::invalid_argument for
/// fewer than 2 samples or a pilot of fewer than 8.
ReducedMean reduced_mean(const SignedStatistic& statistic, double control_mean, std::uint64_t samples,
                         std::uint64_t pilot, bool antithetic, unsigned threads);

}  // namespace attest::monte_carlo
