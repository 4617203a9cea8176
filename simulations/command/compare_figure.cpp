#include "simulations/command/compare_figure.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "reports/figures/draw.hpp"
#include "simulations/command/output_files.hpp"

namespace attest::commands {

std::filesystem::path figure_stem(const std::filesystem::path& named) {
  std::error_code ignored;
  if (std::filesystem::is_directory(named, ignored))
    throw std::invalid_argument(
        fmt::format("--figure {}: it names a folder; name a file, such as out/losses", named.string()));
  const std::filesystem::path stem = without_figure_ending(named);
  const std::string name = stem.filename().string();
  const auto plain = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; };
  if (!name.empty() && std::all_of(name.begin(), name.end(), plain)) return stem;
  throw std::invalid_argument(
      fmt::format("--figure {}: give a file name of letters, digits, '_' and '-', such as out/losses; the figure is "
                  "written there as .svg, .pdf, .tex and .csv",
                  named.string()));
}

void write_comparison_figure(const std::filesystem::path& stem, const std::vector<ComparedPair>& pairs,
                             const std::string& metric, double smallest, const reports::FigureStyle& style) {
  using reports::ReferenceLine;
  reports::Figure figure;
  figure.name = stem.filename().string();
  figure.x.label = "mean difference of " + metric;
  reports::Series known{"", {}, {}, {}, {}, false, true},
      open{"no interval yet: too few pairs", {}, {}, {}, {}, false, true};
  double row = 0;
  for (const ComparedPair& pair : pairs) {
    ++row;
    figure.y.places.emplace_back(row, pair.name);
    const bool bounded = std::isfinite(pair.interval.lower) && std::isfinite(pair.interval.upper);
    reports::Series& series = bounded ? known : open;
    series.x.push_back(pair.difference);
    series.y.push_back(row);
    if (!bounded) continue;
    series.lower.push_back(pair.interval.lower);
    series.upper.push_back(pair.interval.upper);
  }
  for (reports::Series* series : {&known, &open})
    if (!series->x.empty()) figure.series.push_back(std::move(*series));
  figure.reference_lines.push_back({"", ReferenceLine::Across::x, 0});
  if (smallest > 0) {
    figure.reference_lines.push_back({"smallest that matters", ReferenceLine::Across::x, smallest});
    figure.reference_lines.push_back({"", ReferenceLine::Across::x, -smallest});
  }
  reports::FigureStyle chosen = style;
  // Rows need no more room than their names.
  if (chosen.height == 0) chosen.height = std::max(1.4, (6 + 2 * row) * chosen.font_size / 72);
  const std::filesystem::path folder = stem.has_parent_path() ? stem.parent_path() : ".";
  const reports::DrawnFigures drawn = reports::draw_figures({&figure}, folder, "gnuplot", chosen);
  for (const std::string& remark : drawn.remarks) fmt::print("{}\n", remark);
  fmt::print("figure: {}{}.tex and .csv\n", stem.string(), drawn.figures.front().svg.empty() ? "" : ".svg, .pdf, ");
}

}  // namespace attest::commands
