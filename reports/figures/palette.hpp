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

/// Series in their order: told apart by hue and lightness, and by their markers where there are any.
inline constexpr std::array<PaletteColour, 6> series_colours = {{{"#1b5e9b", "var(--series-1)"},
                                                                 {"#b4501e", "var(--series-2)"},
                                                                 {"#2a7a4f", "var(--series-3)"},
                                                                 {"#7a3fa0", "var(--series-4)"},
                                                                 {"#8a6d00", "var(--series-5)"},
                                                                 {"#127c87", "var(--series-6)"}}};

}  // namespace attest::reports
