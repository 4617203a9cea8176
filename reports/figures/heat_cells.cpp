#include "reports/figures/heat_cells.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace attest::reports {
namespace {

/// Increasing values of one axis with the borders of their cells, one border more than values.
struct Ruler {
  std::vector<double> values, borders;

  Ruler(std::vector<double> all, bool logarithmic) : values(std::move(all)) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    if (values.size() < 2) return;
    const auto between = [&](double a, double b) { return logarithmic ? std::sqrt(a * b) : (a + b) / 2; };
    const auto beyond = [&](double end, double border) { return logarithmic ? end * end / border : 2 * end - border; };
    for (std::size_t i = 0; i + 1 < values.size(); ++i) borders.push_back(between(values[i], values[i + 1]));
    borders.insert(borders.begin(), beyond(values.front(), borders.front()));
    borders.push_back(beyond(values.back(), borders.back()));
  }

  std::size_t place(double value) const {
    return static_cast<std::size_t>(std::lower_bound(values.begin(), values.end(), value) - values.begin());
  }
};

}  // namespace

std::vector<HeatCell> heat_cells(const HeatMap& heat, bool x_logarithmic, bool y_logarithmic) {
  const auto usable = [](double value, bool logarithmic) {
    return std::isfinite(value) && (!logarithmic || value > 0);
  };
  std::set<std::pair<double, double>> points;
  for (std::size_t i = 0; i < heat.z.size(); ++i) {
    if (!usable(heat.x[i], x_logarithmic) || !usable(heat.y[i], y_logarithmic)) return {};
    points.emplace(heat.x[i], heat.y[i]);
  }
  const Ruler x(heat.x, x_logarithmic), y(heat.y, y_logarithmic);
  if (x.values.size() < 2 || y.values.size() < 2 || points.size() != heat.z.size() ||
      points.size() != x.values.size() * y.values.size())
    return {};
  std::vector<HeatCell> cells;
  for (std::size_t i = 0; i < heat.z.size(); ++i) {
    const std::size_t column = x.place(heat.x[i]), row = y.place(heat.y[i]);
    cells.push_back({heat.x[i], heat.y[i], heat.z[i], x.borders[column], x.borders[column + 1], y.borders[row],
                     y.borders[row + 1]});
  }
  return cells;
}

}  // namespace attest::reports
