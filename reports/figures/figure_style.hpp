// How a figure is drawn, as far as a reader chooses it.
#pragma once

#include <string>

namespace attest::reports {

/// Measures of a drawing. A figure for a column of a paper: {3.3, 2.4, "Nimbus Roman", 8, 1}.
struct FigureStyle {
  double width = 5;   ///< inches, 1.5 to 20
  double height = 0;  ///< inches, 1 to 20, all of it; 0: three for the drawing and what the names below it take
  std::string font = "DejaVu Sans";
  double font_size = 9;   ///< points, 4 to 30
  double line_width = 1;  ///< as a multiple of the usual one, 0.2 to 5
};

/// Errors: std::invalid_argument with one sentence when a measure is outside its range or the font's name holds
/// anything but letters, digits, spaces and '-'.
void validate(const FigureStyle& style);

/// "3.3x2.4" or "3.3" as width and height in inches, "Nimbus Roman,8" or "8" as font and size in points; empty texts
/// change nothing. Errors: std::invalid_argument, one sentence that names the option.
FigureStyle figure_style(const std::string& size, const std::string& font, double line_width);

}  // namespace attest::reports
