// Drawing figures with gnuplot.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "reports/figures/figure.hpp"
#include "reports/figures/figure_style.hpp"

namespace attest::reports {

/// What became of a figure: its SVG text, or nothing when it could not be drawn.
struct DrawnFigure {
  std::string name;
  std::string svg;
};

/// The figures in the order asked for, and one sentence for each kind of trouble (none when all went well).
struct DrawnFigures {
  std::vector<DrawnFigure> figures;
  std::vector<std::string> remarks;
};

/// Draws every figure that has a drawable point as `directory`/NAME.svg and `directory`/NAME.pdf in one gnuplot
/// process, and writes NAME.tex and NAME.csv (`figure_files.hpp`). That a figure has no such point, or that `program`
/// is missing or fails, is a remark, not an error: the figures that could not be drawn come back empty. Errors: IoError
/// when `directory` cannot be made or written to, or no temporary file can be made.
DrawnFigures draw_figures(const std::vector<const Figure*>& figures, const std::filesystem::path& directory,
                          const std::string& program = "gnuplot", const FigureStyle& style = {});

}  // namespace attest::reports
