// What of a figure can be drawn, and how far it reaches.
#pragma once

#include "reports/figures/axis_scale.hpp"
#include "reports/figures/figure.hpp"

namespace attest::reports {

/// Finite, and positive on a logarithmic axis.
bool is_drawable(double value, const Axis& axis);

/// Least and largest drawn value of each axis: points, ends of intervals, curves and lines to compare with, and the
/// borders of a heat map's cells. Where an axis has none {0, 1}, {0.1, 1} on a logarithmic one.
struct DataExtremes {
  Extremes x, y, value;
};

DataExtremes data_extremes(const Figure& figure);

/// Whether intervals lie along x: where y has names, they would mean nothing along y.
bool intervals_across(const Figure& figure);

bool has_drawable_points(const Series& series, const Figure& figure);

/// Whether any point can be drawn: finite, and positive on logarithmic axes.
bool has_drawable_points(const Figure& figure);

}  // namespace attest::reports
