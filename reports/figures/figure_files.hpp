// A figure as text for other programs: PGF/TikZ for papers, CSV for spreadsheets.
#pragma once

#include <string>

#include "reports/figures/figure.hpp"
#include "reports/figures/figure_style.hpp"

namespace attest::reports {

/// A `tikzpicture` for LaTeX with \usepackage{pgfplots}: colours, dashes and marks of the drawing, names and formulas
/// set by LaTeX in the document's font. Nothing in the figure's texts becomes a command (`tex_prose`).
std::string figure_tikz(const Figure& figure, const FigureStyle& style);

/// series,x,y,lower,upper: one row for each point, first the series, then what they are compared with; a straight line
/// has one coordinate. Of a heat map the rows are heat,x,y,value. What is not finite is an empty field.
std::string figure_csv(const Figure& figure);

}  // namespace attest::reports
