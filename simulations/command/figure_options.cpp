#include "simulations/command/figure_options.hpp"

#include <CLI/CLI.hpp>

namespace attest::commands {

void add_figure_options(CLI::App& verb, FigureOptions& options) {
  verb.add_option("--figure-size", options.size,
                  "size of figures in inches: 3.3x2.4, or the width alone; by default 5 wide");
  verb.add_option(
      "--figure-font", options.font,
      "font of figures and its size in points, 'Nimbus Roman,8', or the size alone; the nearest installed one is "
      "taken for one that is not");
  verb.add_option("--line-width", options.line_width, "width of the lines in figures, as a multiple of the usual one")
      ->capture_default_str();
}

}  // namespace attest::commands
