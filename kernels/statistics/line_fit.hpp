// A straight line through points with intervals.
#pragma once

#include <span>

#include "kernels/statistics/interval.hpp"

namespace attest::statistics {

/// A point with an enclosure of y.
struct LinePoint {
  double x, y;
  Interval enclosure;
};

/// y = slope x + intercept, with the exact ranges of the two least-squares terms while every y moves over its
/// enclosure: they hold with the joint confidence of the enclosures, if the truth is a line.
struct Line {
  double slope, intercept;
  Interval slope_interval, intercept_interval;
  double largest_residual;  ///< max |y - fitted y|
};

/// The least-squares line. Errors: std::invalid_argument for fewer than two distinct x or a number that is not finite.
Line fit_line(std::span<const LinePoint> points);

}  // namespace attest::statistics
