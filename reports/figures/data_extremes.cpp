#include "reports/figures/data_extremes.hpp"

#include <algorithm>
#include <cmath>

#include "reports/figures/heat_cells.hpp"

namespace attest::reports {
namespace {

class Widening {
 public:
  explicit Widening(const Axis& axis) : axis_(axis) {}

  void include(double value) {
    if (!is_drawable(value, axis_)) return;
    least_ = std::min(least_, value);
    largest_ = std::max(largest_, value);
  }

  Extremes extremes() const {
    if (least_ > largest_) return axis_.logarithmic ? Extremes{0.1, 1} : Extremes{0, 1};
    return {least_, largest_};
  }

 private:
  const Axis& axis_;
  double least_ = HUGE_VAL, largest_ = -HUGE_VAL;
};

}  // namespace

bool is_drawable(double value, const Axis& axis) { return std::isfinite(value) && (!axis.logarithmic || value > 0); }

bool intervals_across(const Figure& figure) { return !figure.y.places.empty(); }

DataExtremes data_extremes(const Figure& figure) {
  Widening x(figure.x), y(figure.y), value(figure.heat ? figure.heat->value : figure.y);
  for (const auto* list : {&figure.series, &figure.reference_curves}) {
    for (const Series& series : *list) {
      for (std::size_t i = 0; i < series.x.size(); ++i) {
        if (!is_drawable(series.x[i], figure.x) || !is_drawable(series.y[i], figure.y)) continue;
        x.include(series.x[i]);
        y.include(series.y[i]);
        if (series.lower.empty()) continue;
        Widening& along = intervals_across(figure) ? x : y;
        along.include(series.lower[i]);
        along.include(series.upper[i]);
      }
    }
  }
  for (const ReferenceLine& line : figure.reference_lines)
    (line.axis == ReferenceLine::Across::x ? x : y).include(line.value);
  if (figure.heat) {
    const HeatMap& heat = *figure.heat;
    const std::vector<HeatCell> cells = heat_cells(heat, figure.x.logarithmic, figure.y.logarithmic);
    for (const HeatCell& cell : cells) {
      for (const double border : {cell.left, cell.right}) x.include(border);
      for (const double border : {cell.bottom, cell.top}) y.include(border);
    }
    for (std::size_t i = 0; i < heat.z.size(); ++i) {
      value.include(heat.z[i]);
      if (cells.empty()) {
        x.include(heat.x[i]);
        y.include(heat.y[i]);
      }
    }
  }
  return {x.extremes(), y.extremes(), value.extremes()};
}

bool has_drawable_points(const Series& series, const Figure& figure) {
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    if (is_drawable(series.x[i], figure.x) && is_drawable(series.y[i], figure.y)) return true;
  }
  return false;
}

bool has_drawable_points(const Figure& figure) {
  if (figure.heat && std::any_of(figure.heat->z.begin(), figure.heat->z.end(),
                                 [&](double value) { return is_drawable(value, figure.heat->value); }))
    return true;
  return std::any_of(figure.series.begin(), figure.series.end(),
                     [&](const Series& series) { return has_drawable_points(series, figure); });
}

}  // namespace attest::reports
