// Student's t for the mean of a few normal observations, their number fixed in advance.
#pragma once

#include <cstddef>

#include "kernels/statistics/interval.hpp"
#include "kernels/statistics/welford.hpp"

namespace attest::statistics {

/// Half the width of Student's two-sided interval of level 1 - alpha, t_{n-1, 1 - alpha/2} s / sqrt n; 0 where all
/// observations are equal. Errors: std::invalid_argument for fewer than two observations or alpha outside (0, 1).
double student_half_width(const Welford& observations, double alpha);

/// Student's interval for the mean. Everything for fewer than two observations, and for equal ones: without any spread
/// a sample does not tell how far its mean may be from the law's, and no verdict may rest on it. Errors: as above.
Interval student_interval(const Welford& observations, double alpha);

/// The shift of the mean, in standard deviations of one observation, at which the interval of n observations lies on
/// its side of 0 with probability `power` (noncentral t); infinite for n < 2. Errors: std::invalid_argument for alpha
/// or power outside (0, 1).
double detectable_shift(std::size_t n, double alpha, double power);

}  // namespace attest::statistics
