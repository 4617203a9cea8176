// How series and references look: colour, dash and marker, so that ten are told apart in print and by the colour-blind.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "reports/figures/figure.hpp"
#include "reports/figures/palette.hpp"

namespace attest::reports {

/// The styles of the series in their order, after the tenth from the first again. No two have the same colour, and none
/// of five in a row the same dash.
struct SeriesStyle {
  PaletteColour colour;
  int dash;                   ///< gnuplot's dashtype: solid, dashes, dots, dash and dot, dash and two dots
  int marker;                 ///< gnuplot's point type
  std::string_view tex_dash;  ///< the same in the words of PGF
  std::string_view tex_marker;
};

inline constexpr std::array<int, 5> dashes = {1, 2, 3, 4, 5};
inline constexpr std::array<std::string_view, 5> tex_dashes = {
    "solid", "dash pattern=on 4.5pt off 2pt", "dash pattern=on 1pt off 1.5pt",
    "dash pattern=on 4.5pt off 1.5pt on 1pt off 1.5pt",
    "dash pattern=on 4.5pt off 1.5pt on 1pt off 1.5pt on 1pt off 1.5pt"};
inline constexpr std::array<int, 10> markers = {7, 5, 9, 13, 11, 6, 4, 8, 12, 10};
inline constexpr std::array<std::string_view, 10> tex_markers = {
    "*", "square*", "triangle*", "diamond*", "triangle*, mark options={solid, rotate=180}",
    "o", "square",  "triangle",  "diamond",  "triangle, mark options={solid, rotate=180}"};

constexpr SeriesStyle series_style(std::size_t index) {
  return {series_colours[index % series_colours.size()], dashes[index % dashes.size()], markers[index % markers.size()],
          tex_dashes[index % tex_dashes.size()], tex_markers[index % tex_markers.size()]};
}

/// The place in `dashes` of the reference line `index` of the figure, after those of its reference curves. A line
/// without a name that follows one with a name is drawn like that one: the legend's sample stands for both.
inline std::size_t reference_dash(const Figure& figure, std::size_t index) {
  std::size_t dash = figure.reference_curves.size();
  bool named = false;
  for (std::size_t i = 0; i <= index; ++i) {
    if (i > 0 && !(named && figure.reference_lines[i].label.empty())) ++dash;
    named = named || !figure.reference_lines[i].label.empty();
  }
  return (1 + dash) % dashes.size();
}

}  // namespace attest::reports
