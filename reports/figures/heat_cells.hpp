// The cells of a heat map.
#pragma once

#include <vector>

#include "reports/figures/figure.hpp"

namespace attest::reports {

/// A rectangle around a point.
struct HeatCell {
  double x = 0, y = 0, z = 0;
  double left = 0, right = 0, bottom = 0, top = 0;
};

/// One cell per point, with borders half-way to the neighbours (on a logarithmic axis at their geometric mean), when
/// the points make a full grid of at least two by two; nothing otherwise.
std::vector<HeatCell> heat_cells(const HeatMap& heat, bool x_logarithmic, bool y_logarithmic);

}  // namespace attest::reports
