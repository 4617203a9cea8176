// A figure as text for other programs: PGF/TikZ for papers, CSV for spreadsheets.
#pragma once

#include <string>

#include "reports/figures/figure.hpp"
#include "reports/figures/figure_style.hpp"

namespace attest::reports {

/// A `tikzpicture` for LaTeX with \usepackage{pgfplots}: the series in the colours, dashes and marks of the drawing,
/// what they are compared with in grey dashes, names and formulas set by LaTeX in the document's font. Of a heat map
/// with more than 40 rows or columns only every second, third, ... is in it. Nothing in the figure's texts becomes a
/// command
/// (`tex_prose`).
std::string figure_tikz(const Figure& figure, const FigureStyle& style);

/// series,x,y,lower,upper: one row for each point, first the series, then what they are compared with; a straight line
/// has one coordinate. Where an axis has names instead of numbers, a last column `place` has the point's. Of a heat map
/// the rows are its points alone, heat,x,y,value. What is not finite is an empty field.
std::string figure_csv(const Figure& figure);

}  // namespace attest::reports
