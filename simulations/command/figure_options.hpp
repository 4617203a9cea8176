// The options by which a reader chooses how figures are drawn.
#pragma once

#include <string>

#include "reports/figures/figure_style.hpp"

namespace CLI {
class App;
}

namespace attest::commands {

/// --figure-size, --figure-font and --line-width of a verb.
struct FigureOptions {
  std::string size, font;
  double line_width = 1;

  /// Errors: std::invalid_argument, one sentence that names the option.
  reports::FigureStyle style() const { return reports::figure_style(size, font, line_width); }
};

void add_figure_options(CLI::App& verb, FigureOptions& options);

}  // namespace attest::commands
