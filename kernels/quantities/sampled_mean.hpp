// The mean of a statistic over independent samples, as an outcome.
#pragma once

#include <cstdint>
#include <functional>

#include "kernels/quantities/quantity.hpp"
#include "kernels/statistics/welford.hpp"

namespace attest::quantities {

/// Samples of `statistic` 0, ..., budget - 1, evaluated on the effort's threads in blocks that are merged in order: the
/// same bits for any number of threads. `statistic` is a pure function of the sample's number, which it draws its
/// random numbers by, and is called from several threads at once.
statistics::Welford sampled_moments(const Effort& effort, const std::function<double(std::uint64_t)>& statistic);

/// The mean with Student's interval at `error_level`: exact for normal samples, and else as good as the mean of that
/// many samples is normal. Fewer than two samples leave it open: (-infinity, infinity).
Outcome mean_outcome(const statistics::Welford& moments);

}  // namespace attest::quantities
