// The colours of figures, as drawn into files and as named in the page's style sheet.
#pragma once

#include <array>
#include <string_view>

namespace attest::reports {

/// A colour of the printed figure and the CSS expression that replaces it in a page, where it follows light and dark.
struct PaletteColour {
  std::string_view hex;
  std::string_view css;
};

inline constexpr PaletteColour ink_colour = {"#1d1d1f", "var(--ink)"};
inline constexpr PaletteColour muted_colour = {"#5d6066", "var(--muted)"};
inline constexpr PaletteColour grid_colour = {"#dedad2", "var(--rule)"};

/// Series in their order: the closest two of them are more than 20 apart in CIELAB, as they are and as a protanope and
/// a deuteranope see them (tests/reports/figures/palette_test.py), and each has a contrast of 3 with the paper.
inline constexpr std::array<PaletteColour, 10> series_colours = {{{"#1943a8", "var(--series-1)"},
                                                                  {"#c7781c", "var(--series-2)"},
                                                                  {"#329b9f", "var(--series-3)"},
                                                                  {"#cd256b", "var(--series-4)"},
                                                                  {"#7d4204", "var(--series-5)"},
                                                                  {"#547ff6", "var(--series-6)"},
                                                                  {"#6f0565", "var(--series-7)"},
                                                                  {"#e54e58", "var(--series-8)"},
                                                                  {"#3e85c3", "var(--series-9)"},
                                                                  {"#740c27", "var(--series-10)"}}};

}  // namespace attest::reports
