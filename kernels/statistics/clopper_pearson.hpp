// Exact confidence interval for a probability from a count.
#pragma once

#include <cstdint>

#include "kernels/statistics/interval.hpp"

namespace attest::statistics {

/// Clopper-Pearson interval: contains the success probability p with probability at least 1 - alpha when `successes` is
/// binomial(trials, p). Ends are beta quantiles, e.g. lower = I^{-1}_{level}(successes, trials - successes + 1).
/// Errors: std::invalid_argument for no trials, more successes than trials, or alpha outside (0, 1).
Interval clopper_pearson(std::uint64_t successes, std::uint64_t trials, double alpha, Sides sides = Sides::two_sided);

}  // namespace attest::statistics
