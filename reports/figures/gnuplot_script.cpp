#include "reports/figures/gnuplot_script.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "reports/figures/heat_cells.hpp"
#include "reports/figures/palette.hpp"
#include "reports/text/readable_tex.hpp"
#include "reports/text/terminal.hpp"

namespace attest::reports {
namespace {

bool drawable(double value, const Axis& axis) { return std::isfinite(value) && (!axis.logarithmic || value > 0); }

/// A string literal of gnuplot: single quotes, in which neither backslashes nor commands are looked for.
std::string quoted(const std::string& text) {
  std::string literal = "'";
  for (const char c : readable_text(text)) {
    if (c == '\'')
      literal += "''";
    else if (c == '`')
      literal += "‘";
    else
      literal += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return literal + "'";
}

/// Least and largest drawable value of one axis.
struct Range {
  double least = HUGE_VAL;
  double largest = -HUGE_VAL;
};

void widen(Range& range, const std::vector<double>& values, const Axis& axis) {
  for (const double value : values) {
    if (!drawable(value, axis)) continue;
    range.least = std::min(range.least, value);
    range.largest = std::max(range.largest, value);
  }
}

template <class Member>
Range range_of(const Figure& figure, Member values, const Axis& axis) {
  Range range;
  for (const auto* list : {&figure.series, &figure.reference_curves}) {
    for (const Series& series : *list) {
      widen(range, series.*values, axis);
    }
  }
  return range;
}

/// The heat map's block of data, and its plot element: cells where the points make a grid, dots otherwise.
std::pair<std::string, std::string> heat_elements(const Figure& figure) {
  const HeatMap& heat = *figure.heat;
  std::string block = "$heat << EOD\n";
  const std::vector<HeatCell> cells = heat_cells(heat, figure.x.logarithmic, figure.y.logarithmic);
  for (const HeatCell& cell : cells)
    if (drawable(cell.z, heat.value))
      block +=
          fmt::format("{} {} {} {} {} {} {}\n", cell.x, cell.y, cell.left, cell.right, cell.bottom, cell.top, cell.z);
  block += "EOD\n";
  if (!cells.empty())
    return {block, "$heat using 1:2:3:4:5:6:7 with boxxyerror fill solid noborder lc palette notitle"};
  block = "$heat << EOD\n";
  for (std::size_t i = 0; i < heat.z.size(); ++i)
    if (drawable(heat.x[i], figure.x) && drawable(heat.y[i], figure.y) && drawable(heat.z[i], heat.value))
      block += fmt::format("{} {} {}\n", heat.x[i], heat.y[i], heat.z[i]);
  return {block + "EOD\n", "$heat using 1:2:3 with points pt 7 ps 0.5 lc palette notitle"};
}

/// From dark to light, so that it also reads in print and without colours.
std::string heat_settings(const HeatMap& heat) {
  return fmt::format(
      "set palette defined (0 '#2b1055', 0.25 '#3b528b', 0.5 '#21918c', 0.75 '#5ec962', 1 '#fde725')\n"
      "set cblabel {} noenhanced\n{} cb\nset format cb '%g'\nset colorbox\nunset grid\n",
      quoted(heat.value.label), heat.value.logarithmic ? "set logscale" : "unset logscale");
}

std::string axis_settings(char name, const Axis& axis, const Range& range) {
  std::string script =
      fmt::format("set {0}label {1} noenhanced\nset {0}tics autofreq enhanced\n", name, quoted(axis.label));
  if (!axis.places.empty()) {
    std::string names;
    for (const auto& [value, label] : axis.places)
      names += fmt::format("{}{} {}", names.empty() ? "" : ", ", quoted(label), value);
    // Half a place of air at both ends, and the first name on top as in a list.
    const auto [least, largest] = std::minmax_element(axis.places.begin(), axis.places.end());
    const double low = least->first - 0.5, high = largest->first + 0.5;
    return script + fmt::format("unset logscale {0}\nset {0}tics ({1}) noenhanced\nset {0}range [{2}:{3}]\n", name,
                                names, name == 'y' ? high : low, name == 'y' ? low : high);
  }
  script += fmt::format("set {}range [*:*]\n", name);
  if (!axis.logarithmic) return script + fmt::format("unset logscale {}\nset format {} '%g'\n", name, name);
  const bool plain = range.least >= 1e-3 && range.largest <= 1e5;
  return script + fmt::format("set logscale {} 10\nset format {} '{}'\n", name, name, plain ? "%g" : "10^{%T}");
}

/// Whether intervals lie along x: where y has names, they would mean nothing along y.
bool intervals_across(const Figure& figure) { return !figure.y.places.empty(); }

std::string data_block(const std::string& name, const Series& series, const Figure& figure) {
  std::string block = name + " << EOD\n";
  const bool intervals = !series.lower.empty(), across = intervals_across(figure);
  const Axis& axis = across ? figure.x : figure.y;
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    if (!drawable(series.x[i], figure.x) || !drawable(series.y[i], figure.y)) {
      block += "\n";  // gnuplot breaks a line at an empty row
      continue;
    }
    const auto end = [&](const std::vector<double>& ends) {
      return intervals && drawable(ends[i], axis) ? ends[i] : (across ? series.x : series.y)[i];
    };
    block += fmt::format("{} {} {} {}\n", series.x[i], series.y[i], end(series.lower), end(series.upper));
  }
  return block + "EOD\n";
}

bool has_drawable_points(const Series& series, const Figure& figure) {
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    if (drawable(series.x[i], figure.x) && drawable(series.y[i], figure.y)) return true;
  }
  return false;
}

/// The plot elements of one series. A long line carries its intervals as a band, few points as bars.
std::vector<std::string> elements(const std::string& block, const Series& series, std::size_t index, bool across) {
  constexpr auto point_types = std::to_array<int>({7, 5, 9, 13, 11, 6});
  const std::string_view colour = series_colours[index % series_colours.size()].hex;
  const int point_type = point_types[index % std::size(point_types)];
  std::vector<std::string> plots;
  if (!series.lower.empty() && series.line && series.x.size() > 12) {
    plots.push_back(fmt::format(
        "{} using 1:3:4 with filledcurves fc rgb '{}' fs transparent solid 0.18 noborder notitle", block, colour));
  } else if (!series.lower.empty()) {
    plots.push_back(fmt::format("{} using 1:2:3:4 with {}errorbars lc rgb '{}' lw 1.2 pt {} ps 0.01 notitle", block,
                                across ? 'x' : 'y', colour, point_type));
  }
  const std::string_view style = series.line ? (series.markers ? "linespoints" : "lines") : "points";
  std::string plot = fmt::format("{} using 1:2 with {} lc rgb '{}'", block, style, colour);
  if (series.line) plot += " lw 1.6";
  if (series.markers) plot += fmt::format(" pt {} ps {}", point_type, series.x.size() > 60 ? 0.25 : 0.55);
  plot += series.label.empty() ? " notitle" : " title " + quoted(series.label);
  plots.push_back(plot);
  return plots;
}

std::string reference_style(std::size_t index, bool on_heat) {
  // On a heat map a line must stand out against every colour.
  if (on_heat) return fmt::format("lc rgb '#e8436e' lw 2 dt {}", 1 + index % 4);
  return fmt::format("lc rgb '{}' lw 1.2 dt {}", muted_colour.hex, 2 + index % 4);
}

/// Layout of the names below the drawing: gnuplot itself misjudges their width and cuts them off.
struct KeyLayout {
  int columns = 1;
  int rows = 0;
};

KeyLayout key_layout(const Figure& figure) {
  std::size_t longest = 0, names = 0;
  const auto count = [&](const std::string& label) {
    if (label.empty()) return;
    ++names;
    longest = std::max(longest, display_width(readable_text(label)));
  };
  for (const Series& series : figure.series) count(series.label);
  for (const Series& curve : figure.reference_curves) count(curve.label);
  for (const ReferenceLine& line : figure.reference_lines) count(line.label);
  constexpr double character_width = 7.3, sample_width = 56, canvas_width = 440;
  const double column_width = character_width * static_cast<double>(longest) + sample_width;
  KeyLayout layout;
  layout.columns = std::max(1, static_cast<int>(canvas_width / column_width));
  layout.rows = (static_cast<int>(names) + layout.columns - 1) / layout.columns;
  return layout;
}

std::string grid_settings() { return fmt::format("set grid ytics lc rgb '{}' lw 0.7 lt 1\n", grid_colour.hex); }

std::string titled(const std::string& label) { return label.empty() ? "notitle" : "title " + quoted(label); }

}  // namespace

bool has_drawable_points(const Figure& figure) {
  if (figure.heat && std::any_of(figure.heat->z.begin(), figure.heat->z.end(),
                                 [&](double value) { return drawable(value, figure.heat->value); }))
    return true;
  return std::any_of(figure.series.begin(), figure.series.end(),
                     [&](const Series& series) { return has_drawable_points(series, figure); });
}

std::string gnuplot_preamble() {
  // Numbers must be read and written with a point whatever the user's locale.
  return fmt::format(
      "set decimalsign locale 'C'\nset decimalsign '.'\nset encoding utf8\n"
      "set border 3 lc rgb '{0}' lw 0.8\nset tics nomirror out scale 0.6 textcolor rgb '{0}'\n"
      "{1}set bars 0.6\n"
      "set key bmargin left horizontal Left reverse noenhanced samplen 2.2 spacing 1.15 textcolor rgb '{2}'\n",
      muted_colour.hex, grid_settings(), ink_colour.hex);
}

std::string gnuplot_script(const Figure& figure, const std::string& svg_file, const std::string& pdf_file) {
  Range x_range = range_of(figure, &Series::x, figure.x);
  Range y_range = range_of(figure, &Series::y, figure.y);
  if (intervals_across(figure))
    for (const Series& series : figure.series)
      for (const auto* ends : {&series.lower, &series.upper}) widen(x_range, *ends, figure.x);
  if (figure.heat) {
    widen(x_range, figure.heat->x, figure.x);
    widen(y_range, figure.heat->y, figure.y);
  }
  std::string script =
      fmt::format("set title {} noenhanced textcolor rgb '{}'\n", quoted(figure.title), ink_colour.hex);
  script += axis_settings('x', figure.x, x_range) + axis_settings('y', figure.y, y_range);

  std::vector<std::string> plots;
  if (figure.heat) {
    auto [block, plot] = heat_elements(figure);
    script += heat_settings(*figure.heat) + block;
    plots.push_back(std::move(plot));
    script += "set autoscale xfix\nset autoscale yfix\n";
  }
  std::size_t reference = 0;
  script += "unset arrow\n";
  for (const ReferenceLine& line : figure.reference_lines) {
    const bool across_y = line.axis == ReferenceLine::Across::y;
    if (!drawable(line.value, across_y ? figure.y : figure.x)) continue;
    const std::string style = reference_style(reference++, figure.heat.has_value());
    if (across_y) {
      plots.push_back(fmt::format("{} with lines {} {}", line.value, style, titled(line.label)));
      continue;
    }
    // A vertical line is an arrow, which does not widen the axis by itself.
    script += fmt::format("set xrange [{}:{}]\n", line.value < x_range.least ? fmt::format("{}", line.value) : "*",
                          line.value > x_range.largest ? fmt::format("{}", line.value) : "*");
    script += fmt::format("set arrow from first {0}, graph 0 to first {0}, graph 1 nohead {1}\n", line.value, style);
    if (!line.label.empty()) plots.push_back(fmt::format("keyentry with lines {} {}", style, titled(line.label)));
  }
  for (std::size_t i = 0; i < figure.reference_curves.size(); ++i) {
    const Series& curve = figure.reference_curves[i];
    if (!has_drawable_points(curve, figure)) continue;
    const std::string block = fmt::format("$reference{}", i);
    script += data_block(block, curve, figure);
    plots.push_back(fmt::format("{} using 1:2 with lines {} {}", block,
                                reference_style(reference++, figure.heat.has_value()), titled(curve.label)));
  }
  for (std::size_t i = 0; i < figure.series.size(); ++i) {
    if (!has_drawable_points(figure.series[i], figure)) continue;
    const std::string block = fmt::format("$series{}", i);
    script += data_block(block, figure.series[i], figure);
    for (const std::string& plot : elements(block, figure.series[i], i, intervals_across(figure)))
      plots.push_back(plot);
  }
  const std::string plot = fmt::format("plot {}\n", fmt::join(plots, ", "));
  // The drawing keeps its height whatever stands below it.
  const KeyLayout key = key_layout(figure);
  const int height = 290 + 19 * key.rows;
  script += fmt::format("set key maxcols {}\n", key.columns);
  const auto draw = [&](const std::string& terminal, const std::string& file) {
    script += fmt::format("set terminal {}\nset output {}\n{}set output\n", terminal, quoted(file), plot);
  };
  draw(fmt::format("svg size 480,{} dynamic enhanced font 'DejaVu Sans,12'", height), svg_file);
  draw(fmt::format("pdfcairo size 12cm,{}cm enhanced font 'DejaVu Sans,9'", height / 40.0), pdf_file);
  if (figure.heat) script += "unset colorbox\nset autoscale x\nset autoscale y\n" + grid_settings();
  return script;
}

}  // namespace attest::reports
