#include "kernels/statistics/line_fit.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace attest::statistics {

Line fit_line(std::span<const LinePoint> points) {
  double centre = 0, spread = 0;
  const auto n = static_cast<double>(points.size());
  for (const LinePoint& p : points) {
    if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.enclosure.width()))
      throw std::invalid_argument("fit_line: a point is not finite");
    centre += p.x / n;
  }
  for (const LinePoint& p : points) spread += (p.x - centre) * (p.x - centre);
  if (!(spread > 0)) throw std::invalid_argument("fit_line: fewer than two distinct x");
  // Both terms are linear in the y.
  Line line{0, 0, {0, 0}, {0, 0}, 0};
  const auto add = [](Interval& range, double weight, const Interval& y) {
    range.lower += std::min(weight * y.lower, weight * y.upper);
    range.upper += std::max(weight * y.lower, weight * y.upper);
  };
  for (const LinePoint& p : points) {
    const double weight = (p.x - centre) / spread;
    line.slope += weight * p.y;
    line.intercept += (1 / n - centre * weight) * p.y;
    add(line.slope_interval, weight, p.enclosure);
    add(line.intercept_interval, 1 / n - centre * weight, p.enclosure);
  }
  for (const LinePoint& p : points)
    line.largest_residual = std::max(line.largest_residual, std::abs(p.y - line.slope * p.x - line.intercept));
  return line;
}

}  // namespace attest::statistics
