#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "reports/figures/data_extremes.hpp"
#include "reports/figures/figure_files.hpp"
#include "reports/figures/figure_layout.hpp"
#include "reports/figures/heat_cells.hpp"
#include "reports/figures/series_style.hpp"
#include "reports/text/tex_text.hpp"

namespace attest::reports {
namespace {

/// Prose in a value of PGF's keys: braces keep its commas and signs together. Signs that pdfLaTeX does not know by
/// themselves are spelled; beyond these and Latin letters use LuaLaTeX.
std::string value(const std::string& prose) {
  static constexpr std::pair<std::string_view, std::string_view> signs[] = {
      {"−", "-"}, {"×", "\\times"}, {"≤", "\\le"}, {"≥", "\\ge"}, {"→", "\\to"}, {"≈", "\\approx"}};
  std::string tex = tex_prose(prose);
  for (const auto& [sign, command] : signs) {
    const std::string spelled = fmt::format("\\ensuremath{{{}}}", command);
    for (std::size_t at = tex.find(sign); at != std::string::npos; at = tex.find(sign, at + spelled.size()))
      tex.replace(at, sign.size(), spelled);
  }
  return "{" + tex + "}";
}

std::string colour_definition(std::string_view name, std::string_view hex) {
  return fmt::format("\\definecolor{{{}}}{{HTML}}{{{}}}%\n", name, hex.substr(1));
}

std::string axis_options(char name, const Axis& axis, const AxisScale& scale) {
  std::string options = fmt::format("  {0}label={1}, {0}min={2}, {0}max={3},\n", name, value(axis.label),
                                    std::min(scale.low, scale.high), std::max(scale.low, scale.high));
  if (axis.logarithmic) options += fmt::format("  {}mode=log,\n", name);
  if (axis.places.empty()) return options;
  std::string places, names;
  for (const auto& [at, label] : axis.places) {
    places += fmt::format("{}{}", places.empty() ? "" : ",", at);
    names += fmt::format("{}{}", names.empty() ? "" : ",", value(label));
  }
  return options + fmt::format("  {0}tick={{{1}}}, {0}ticklabels={{{2}}},{3}\n", name, places, names,
                               scale.low > scale.high ? fmt::format(" {} dir=reverse,", name) : "");
}

std::string addplot(const std::string& options, const Series& series, const Figure& figure) {
  const bool intervals = !series.lower.empty(), across = intervals_across(figure);
  std::string tex = fmt::format(
      "\\addplot[{}{}]\n  table[row sep=\\\\, x=x, y=y{}] {{\n  x y{} \\\\\n", options,
      intervals ? fmt::format(", error bars/.cd, {0} dir=both, {0} explicit", across ? 'x' : 'y') : std::string(),
      intervals ? fmt::format(", {0} error plus=p, {0} error minus=m", across ? 'x' : 'y') : std::string(),
      intervals ? " p m" : "");
  const Axis& axis = across ? figure.x : figure.y;
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    const double x = series.x[i], y = series.y[i], middle = across ? x : y;
    if (!is_drawable(x, figure.x) || !is_drawable(y, figure.y)) {
      tex += intervals ? "  nan nan 0 0 \\\\\n" : "  nan nan \\\\\n";
      continue;
    }
    tex += fmt::format("  {} {}", x, y);
    if (intervals) {
      const auto arm = [&](double end) { return is_drawable(end, axis) ? std::abs(end - middle) : 0.0; };
      tex += fmt::format(" {} {}", arm(series.upper[i]), arm(series.lower[i]));
    }
    tex += " \\\\\n";
  }
  return tex + "};\n";
}

std::string legend(const std::string& label) {
  return label.empty() ? "" : fmt::format("\\addlegendentry{}\n", value(label));
}

std::string heat_plot(const Figure& figure) {
  const HeatMap& heat = *figure.heat;
  const std::vector<HeatCell> cells = heat_cells(heat, figure.x.logarithmic, figure.y.logarithmic);
  if (cells.empty()) {
    std::string tex = "\\addplot[scatter, only marks, mark=square*, point meta=explicit] coordinates {\n";
    for (std::size_t i = 0; i < heat.z.size(); ++i)
      if (is_drawable(heat.x[i], figure.x) && is_drawable(heat.y[i], figure.y) && std::isfinite(heat.z[i]))
        tex += fmt::format("  ({},{}) [{}]\n", heat.x[i], heat.y[i], heat.z[i]);
    return tex + "};\n";
  }
  std::map<double, std::map<double, double>> rows;
  for (const HeatCell& cell : cells) rows[cell.y][cell.x] = cell.z;
  // LaTeX keeps every cell in its memory, which 100 by 100 fill.
  constexpr std::size_t most_side = 40;
  const std::size_t columns = rows.begin()->second.size();
  const std::size_t each_row = (rows.size() + most_side - 1) / most_side;
  const std::size_t each_column = (columns + most_side - 1) / most_side;
  std::string tex = fmt::format("\\addplot[matrix plot*, mesh/cols={}, point meta=explicit] coordinates {{\n",
                                (columns + each_column - 1) / each_column);
  if (each_row > 1 || each_column > 1)
    tex = fmt::format("% One of {} cells; the CSV file has all.\n", each_row * each_column) + tex;
  std::size_t up = 0;
  for (const auto& [y, row] : rows) {
    std::size_t across = 0;
    for (const auto& [x, z] : row)
      if (up % each_row == 0 && across++ % each_column == 0)
        tex += fmt::format("  ({},{}) [{}]\n", x, y, std::isfinite(z) ? z : std::nan(""));
    ++up;
  }
  return tex + "};\n";
}

}  // namespace

std::string figure_tikz(const Figure& figure, const FigureStyle& style) {
  const FigureLayout layout = figure_layout(figure, style);
  const double height = style.height == 0 ? 3 : style.height;
  std::string tex =
      "% Needs \\usepackage{pgfplots} and \\pgfplotsset{compat=1.16}; to be read by \\input.\n\\begin{tikzpicture}\n";
  for (std::size_t i = 0; i < std::min(figure.series.size(), series_colours.size()); ++i)
    tex += colour_definition(fmt::format("attest{}", i), series_style(i).colour.hex);
  tex += fmt::format(
      "\\begin{{axis}}[\n  width={}in, height={}in, title={}, axis lines=left, legend style={{at={{(0.5,-0.25)}}, "
      "anchor=north, draw=none, cells={{anchor=west}}}},\n",
      style.width, height, value(figure.title));
  tex += axis_options('x', figure.x, layout.x) + axis_options('y', figure.y, layout.y);
  if (figure.heat)
    tex +=
        fmt::format("  colorbar, colormap/viridis, colorbar style={{ylabel={}}},\n", value(figure.heat->value.label));
  tex += "]\n";
  if (figure.heat) tex += heat_plot(figure);
  for (std::size_t i = 0; i < figure.series.size(); ++i) {
    const Series& series = figure.series[i];
    if (!has_drawable_points(series, figure)) continue;
    const SeriesStyle look = series_style(i);
    std::string options =
        fmt::format("attest{}, line width={:.2f}pt", i % series_colours.size(), 0.8 * style.line_width);
    options += series.line ? fmt::format(", {}", look.tex_dash) : std::string(", only marks");
    options += series.markers || !series.line ? fmt::format(", mark={}, mark size=1.5pt", look.tex_marker)
                                              : std::string(", mark=none");
    if (series.label.empty()) options += ", forget plot";
    tex += addplot(options, series, figure) + legend(series.label);
  }
  const auto reference = [](std::size_t dash, const std::string& label) {
    return fmt::format("gray, {}{}", tex_dashes[dash], label.empty() ? ", forget plot" : "");
  };
  for (std::size_t i = 0; i < figure.reference_curves.size(); ++i) {
    const Series& curve = figure.reference_curves[i];
    if (!has_drawable_points(curve, figure)) continue;
    tex += addplot(reference((1 + i) % dashes.size(), curve.label), curve, figure) + legend(curve.label);
  }
  for (std::size_t i = 0; i < figure.reference_lines.size(); ++i) {
    const ReferenceLine& line = figure.reference_lines[i];
    const bool across_x = line.axis == ReferenceLine::Across::x;
    if (!is_drawable(line.value, across_x ? figure.x : figure.y)) continue;
    const auto [x0, x1] = std::minmax(layout.x.low, layout.x.high);
    const auto [y0, y1] = std::minmax(layout.y.low, layout.y.high);
    tex += fmt::format("\\addplot[{}] coordinates {{({},{}) ({},{})}};\n",
                       reference(reference_dash(figure, i), line.label), across_x ? line.value : x0,
                       across_x ? y0 : line.value, across_x ? line.value : x1, across_x ? y1 : line.value) +
           legend(line.label);
  }
  return tex + "\\end{axis}\n\\end{tikzpicture}\n";
}

}  // namespace attest::reports
