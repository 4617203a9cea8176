// A figure in the language of gnuplot.
#pragma once

#include <string>

#include "reports/figures/figure.hpp"
#include "reports/figures/figure_style.hpp"

namespace attest::reports {

/// The settings that all figures of one gnuplot session share.
std::string gnuplot_preamble();

/// Commands that draw `figure` into `svg_file` and `pdf_file` and leave the session ready for the next one. Text of the
/// figure is quoted so that none of it is read as a command. Precondition: `has_drawable_points(figure)`.
std::string gnuplot_script(const Figure& figure, const FigureStyle& style, const std::string& svg_file,
                           const std::string& pdf_file);

}  // namespace attest::reports
