// Exponents and limits of sequences known at a few points.
#pragma once

#include <span>
#include <vector>

#include "kernels/statistics/interval.hpp"

namespace attest::statistics {

/// A point of a curve y(x) with an enclosure of y, x > 0.
struct RatePoint {
  double x;
  Interval y;
};

/// Power law y = constant * x^exponent fitted in log-log scale.
struct PowerLaw {
  double exponent, constant;
  Interval exponent_interval, constant_interval;
  double largest_residual;  ///< max |log y - fitted log y| at the interval midpoints (in the log)
};

/// Least squares line through (log x_i, log y_i). Midpoints of the log intervals give the estimates; the intervals are
/// the exact range of the least-squares exponent and constant while every y_i moves over its interval, so they hold
/// with the joint confidence of the y intervals. They say nothing about curvature: use local_exponents for that.
/// Errors: std::invalid_argument for fewer than two distinct x, x <= 0, or a y interval that is empty, NaN or not
/// positive (the message names the point).
PowerLaw fit_power_law(std::span<const RatePoint> points);

/// Exponents log(y_{i+1}/y_i)/log(x_{i+1}/x_i) between neighbours, as intervals, for increasing x. Errors as above.
std::vector<Interval> local_exponents(std::span<const RatePoint> points);

/// A limit with an error estimate that is a judgement, not a proof.
struct Extrapolation {
  double limit;
  double error;  ///< conservative estimate of |limit - true limit|
};

/// Richardson extrapolation of a_0, a_1, ... taken at x_i = x_0 ratio^i with a_i = limit + c_1 x_i^-p + c_2 x_i^-(p+s)
/// + c_3 x_i^-(p+2s) + ... The error is the largest of the last two changes along the final column and diagonal of the
/// tableau, plus what the tableau makes of an error of up to `value_error` in each a_i: that times
/// prod_k (ratio^(p+ks) + 1)/(ratio^(p+ks) - 1). Errors: std::invalid_argument for fewer than three values, a value
/// that is not finite, ratio <= 1, p <= 0, s <= 0 or a value_error that is negative or NaN.
Extrapolation richardson(std::span<const double> values, double ratio, double p, double s, double value_error);

/// Aitken's delta-squared extrapolation of a linearly convergent sequence (order unknown) from its last values; the
/// error is the distance of the last two extrapolants plus the distance of the last extrapolant from the last value
/// divided by ten. A sequence that is constant to rounding returns its last value with that change as the error.
/// Errors: std::invalid_argument for fewer than four values or a value that is not finite.
Extrapolation aitken(std::span<const double> values);

}  // namespace attest::statistics
