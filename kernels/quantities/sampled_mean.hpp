// The mean of a statistic over independent samples, as an outcome.
#pragma once

#include <cstdint>
#include <functional>

#include "kernels/quantities/quantity.hpp"
#include "kernels/statistics/welford.hpp"

namespace attest::quantities {

/// Samples of `statistic` 0, ..., budget - 1, evaluated on the effort's threads in blocks that are merged in order: the
/// same bits for any number of threads, and memory independent of the budget. `statistic` is a pure function of the
/// sample's number, which it draws its random numbers by, and is called from several threads at once. `see`, where
/// given, is handed every value in order, on the calling thread.
statistics::Welford sampled_moments(const Effort& effort, const std::function<double(std::uint64_t)>& statistic,
                                    const std::function<void(double)>& see = {});

/// The mean with Student's interval at `error_level`: exact for normal samples, and else as good as the mean of that
/// many samples is normal. Fewer than two samples leave it open: (-infinity, infinity).
Outcome mean_outcome(const statistics::Welford& moments);

/// Whether an effort's threads take whole samples or share the elements of each: few large samples would leave some
/// idle.
struct ThreadShare {
  unsigned samples, inner;

  /// `elements`: of one sample.
  ThreadShare(const Effort& effort, std::uint64_t elements);
  /// The effort for sampled_moments; `inner` is for the kernel that its statistic calls.
  Effort outer(Effort effort) const {
    effort.threads = samples;
    return effort;
  }
};

}  // namespace attest::quantities
