#include "simulations/command/figure_options.hpp"

#include <CLI/CLI.hpp>

namespace attest::commands {

void add_figure_options(CLI::App& verb, FigureOptions& options) {
  verb.add_option("--figure-size", options.size,
                  "size of figures in inches: 3.3x2.4, or the width alone; by default 5 wide");
  verb.add_option(
      "--figure-font", options.font,
      "font of figures and its size in points, 'Nimbus Roman,8', or the size alone; a font that is not installed is "
      "replaced by the nearest that is");
  verb.add_option("--line-width", options.line_width, "width of the lines in figures, as a multiple of the usual one")
      ->capture_default_str();
}

}  // namespace attest::commands
