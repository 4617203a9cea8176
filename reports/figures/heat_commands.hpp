// A heat map in the language of gnuplot.
#pragma once

#include <string>
#include <utility>

#include "reports/figures/figure_layout.hpp"

namespace attest::reports {

/// Settings and data of the heat map of `figure`, and its plot element: a few cells as rectangles, many as an image of
/// at most 240 by 240 pixels, dots where the points make no grid. Precondition: there is a heat map.
std::pair<std::string, std::string> heat_commands(const Figure& figure, const FigureLayout& layout);

/// What undoes the settings.
std::string end_of_heat();

/// A value as it is plotted: its decimal logarithm on a logarithmic axis.
double plotted(double value, bool logarithmic);

}  // namespace attest::reports
