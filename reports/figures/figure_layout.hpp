// Where the parts of a drawing stand: computed before it is drawn, so that nothing is cut off or lies on another part.
#pragma once

#include <string>
#include <vector>

#include "reports/figures/axis_scale.hpp"
#include "reports/figures/figure.hpp"
#include "reports/figures/figure_style.hpp"

namespace attest::reports {

/// Something with a name: a place in the drawing's order of what is named.
struct Entry {
  enum class Kind { series, reference_curve, reference_line };
  Kind kind;
  std::size_t index;  ///< in the figure's list of that kind
};

/// Text at a place in pixels from the upper left corner: its middle in height, its left, middle or right in width.
struct PlacedText {
  std::string text;  ///< enhanced
  double x, y;
  enum class Align { left, middle, right } align;
};

/// A name with the sample before it. A direct one stands beside the plot, and `from_x`, `from_y` are where its line
/// ends.
struct PlacedEntry {
  Entry entry;
  PlacedText name;
  double sample_left, sample_right;
  bool direct = false;
  double from_x = 0, from_y = 0;
};

struct FigureLayout {
  double width, height;                ///< pixels, 96 to the inch
  double em;                           ///< of the font, pixels
  double left, right, top, bottom;     ///< of the plot itself
  AxisScale x, y, value;               ///< `value` where there is a heat map
  double bar_left = 0, bar_right = 0;  ///< of the heat map's bar of colours
  std::vector<PlacedText> texts;       ///< title and axis labels
  std::vector<PlacedEntry> entries;
};

/// The layout of `figure`, which has a drawable point. The y axis is named above it, so that a long name is not cut.
/// Names of lines stand beside their ends where all of them do so without crowding, else, on a heat map, and where the
/// y axis has names, in rows below the drawing.
FigureLayout figure_layout(const Figure& figure, const FigureStyle& style);

/// Pixel of a value on an axis drawn from `from` to `to`.
double place_on(const AxisScale& scale, double value, double from, double to);

}  // namespace attest::reports
