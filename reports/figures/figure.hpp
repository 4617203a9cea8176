// A figure as data: what is to be seen, not how it is drawn.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace attest::reports {

/// One axis. `logarithmic` axes leave out what is not positive. With `places` it shows these names at these values and
/// no numbers.
struct Axis {
  std::string label;
  bool logarithmic = false;
  std::vector<std::pair<double, std::string>> places = {};
};

/// One series of points. `lower` and `upper` are empty or as long as `x`: the ends of an interval at each point, along
/// y, or along x where the y axis has names instead of numbers. `line` joins the points in their order; `markers` draws
/// each of them. A value that is not finite leaves a gap.
struct Series {
  std::string label;
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> lower;
  std::vector<double> upper;
  bool line = false;
  bool markers = true;
};

/// Something to compare with: a straight line across the whole plot at one value of an axis.
struct ReferenceLine {
  enum class Across { x, y };
  std::string label;
  Across axis = Across::y;
  double value = 0.0;
};

/// One value as a colour at every point of a plane. Points that make a full grid are drawn as cells, others as dots.
struct HeatMap {
  Axis value;
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> z;
};

/// A figure of a results document. In JSON:
///
///     {"name": "growth", "title": "...", "caption": "...",
///      "x": {"label": "...", "scale": "linear" | "log", "places": [[value, "name"], ...]}, "y": {...},
///      "series": [{"name": "...", "style": "points" | "line" | "linespoints",
///                  "points": [[x, y] | [x, y, lower, upper], ...]}],
///      "references": [{"name": "...", "y": 1.0} | {"name": "...", "x": 3.0} | {"name": "...", "points": [...]}],
///      "heat": {"label": "...", "scale": "linear" | "log", "points": [[x, y, value], ...]}}
///
/// `title`, `caption`, `scale` (linear), `places`, `style`, `references` and `heat` may be left out; without a style,
/// points with increasing x are joined, and marked where there are 40 or fewer; others are marked and not joined.
/// `null` stands for a number that is not finite. A reference is a straight line at one value of an axis, or a curve.
/// Labels, title and caption are plain text; formulas in them stand between dollars. `name` is a file stem, unique in
/// the document: letters, digits, `_` and `-`.
struct Figure {
  std::string name;
  std::string title;
  std::string caption;
  Axis x;
  Axis y;
  std::vector<Series> series;
  std::vector<Series> reference_curves;
  std::vector<ReferenceLine> reference_lines;
  std::optional<HeatMap> heat = {};
};

}  // namespace attest::reports
