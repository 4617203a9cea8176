#include "reports/figures/gnuplot_script.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/figures/data_extremes.hpp"
#include "reports/figures/figure_layout.hpp"
#include "reports/figures/heat_commands.hpp"
#include "reports/figures/palette.hpp"
#include "reports/figures/series_style.hpp"
#include "reports/figures/set_text.hpp"

namespace attest::reports {
namespace {

/// A string literal of gnuplot: single quotes, in which neither backslashes nor commands are looked for.
std::string quoted(const std::string& text) {
  std::string literal = "'";
  for (const char c : text) {
    if (c == '\'')
      literal += "''";
    else if (c == '`')
      literal += "‘";
    else
      literal += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return literal + "'";
}

std::string data_block(const std::string& name, const Series& series, const Figure& figure) {
  std::string block = name + " << EOD\n";
  const bool intervals = !series.lower.empty(), across = intervals_across(figure);
  const Axis& axis = across ? figure.x : figure.y;
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    if (!is_drawable(series.x[i], figure.x) || !is_drawable(series.y[i], figure.y)) {
      block += "\n";  // gnuplot breaks a line at an empty row
      continue;
    }
    const auto end = [&](const std::vector<double>& ends) {
      const double value = intervals && is_drawable(ends[i], axis) ? ends[i] : (across ? series.x : series.y)[i];
      return plotted(value, axis.logarithmic);
    };
    block += fmt::format("{} {} {} {}\n", plotted(series.x[i], figure.x.logarithmic),
                         plotted(series.y[i], figure.y.logarithmic), end(series.lower), end(series.upper));
  }
  return block + "EOD\n";
}

/// Colour, width and dash of a line.
struct Stroke {
  std::string colour;
  double width;
  int dash;  ///< as in SeriesStyle

  std::string text() const { return fmt::format("lc rgb '{}' lw {:.2f} dt {}", colour, width, dash); }
};

Stroke series_stroke(std::size_t index, const FigureStyle& style) {
  const SeriesStyle look = series_style(index);
  return {std::string(look.colour.hex), 1.6 * style.line_width, look.dash};
}

/// References are told apart in the order of the curves, then of the lines.
Stroke reference_stroke(const Entry& entry, const Figure& figure, const FigureStyle& style) {
  const std::size_t dash = entry.kind == Entry::Kind::reference_curve ? (1 + entry.index) % dashes.size()
                                                                      : reference_dash(figure, entry.index);
  // On a heat map a line must stand out against every colour; the first of them is solid.
  if (figure.heat) return {"#e8436e", 2 * style.line_width, dashes[(dash + dashes.size() - 1) % dashes.size()]};
  return {std::string(muted_colour.hex), 1.2 * style.line_width, dashes[dash]};
}

/// Of two broken lines in a row gnuplot's SVG draws the second like the first: a solid one of no length stands between.
constexpr std::string_view between_lines =
    "set arrow from screen 0,0 rto screen 0.0001,0 nohead lc rgb 'white' lw 0.1 dt 1";

double marker_size(const Series& series) { return series.x.size() > 60 ? 0.25 : 0.55; }

/// The plot elements of one series. A long line carries its intervals as a band, few points as bars.
std::vector<std::string> elements(const std::string& block, const Series& series, std::size_t index, bool across,
                                  const FigureStyle& style) {
  const SeriesStyle look = series_style(index);
  std::vector<std::string> plots;
  if (!series.lower.empty() && series.line && series.x.size() > 12) {
    plots.push_back(
        fmt::format("{} using 1:3:4 with filledcurves fc rgb '{}' fs transparent solid 0.18 noborder notitle", block,
                    look.colour.hex));
  } else if (!series.lower.empty()) {
    plots.push_back(fmt::format("{} using 1:2:3:4 with {}errorbars lc rgb '{}' lw {:.2f} pt {} ps 0.01 notitle", block,
                                across ? 'x' : 'y', look.colour.hex, 1.2 * style.line_width, look.marker));
  }
  if (series.line)
    plots.push_back(fmt::format("{} using 1:2 with lines {} notitle", block, series_stroke(index, style).text()));
  // Apart from the line, whose dashes the markers' outlines would take.
  if (series.markers || !series.line)
    plots.push_back(fmt::format("{} using 1:2 with points lc rgb '{}' lw {:.2f} pt {} ps {} notitle", block,
                                look.colour.hex, style.line_width, look.marker, marker_size(series)));
  return plots;
}

std::string ticks(char name, const AxisScale& scale) {
  std::string places;
  for (const Tick& tick : scale.ticks)
    places += fmt::format("{}{} {}", places.empty() ? "" : ", ", quoted(enhanced_tick(tick.label)),
                          plotted(tick.value, scale.logarithmic));
  return fmt::format("set {0}tics ({1})\nset {0}range [{2}:{3}] noextend\n", name, places,
                     plotted(scale.low, scale.logarithmic), plotted(scale.high, scale.logarithmic));
}

/// Places in pixels from the upper left corner, in gnuplot's words.
struct Screen {
  double width, height;

  std::string at(double x, double y) const { return fmt::format("screen {:.5f},{:.5f}", x / width, 1 - y / height); }
};

std::string placed_texts(const FigureLayout& layout, const Screen& screen) {
  static constexpr std::array<std::string_view, 3> align = {"left", "center", "right"};
  std::string script;
  const auto label = [&](const PlacedText& text) {
    script += fmt::format("set label {} at {} {} enhanced front textcolor rgb '{}'\n", quoted(text.text),
                          screen.at(text.x, text.y), align[static_cast<std::size_t>(text.align)], ink_colour.hex);
  };
  for (const PlacedText& text : layout.texts) label(text);
  for (const PlacedEntry& entry : layout.entries) label(entry.name);
  return script;
}

/// The sample of each named line or marker, and for a name beside the plot a thin line from where its own ends.
std::string samples(const Figure& figure, const FigureStyle& style, const FigureLayout& layout, const Screen& screen) {
  std::string script;
  for (const PlacedEntry& placed : layout.entries) {
    const bool is_series = placed.entry.kind == Entry::Kind::series;
    const Series* series = is_series ? &figure.series[placed.entry.index] : nullptr;
    const Stroke stroke =
        is_series ? series_stroke(placed.entry.index, style) : reference_stroke(placed.entry, figure, style);
    const double y = placed.name.y;
    const auto line = [&](double x0, double y0, double x1, double y1, const std::string& look) {
      script += fmt::format("{} front\nset arrow from {} to {} nohead {} front\n", between_lines, screen.at(x0, y0),
                            screen.at(x1, y1), look);
    };
    if (placed.direct)
      line(placed.from_x + 2, placed.from_y, placed.sample_left, y,
           fmt::format("lc rgb '{}' lw 0.6 dt 1", stroke.colour));
    if (series == nullptr || series->line) line(placed.sample_left, y, placed.sample_right, y, stroke.text());
    if (series != nullptr && (series->markers || !series->line))
      script += fmt::format("set label '' at {} point lc rgb '{}' lw {:.2f} pt {} ps 0.55 front\n",
                            screen.at((placed.sample_left + placed.sample_right) / 2, y), stroke.colour,
                            style.line_width, series_style(placed.entry.index).marker);
  }
  return script;
}

std::vector<std::string> reference_plots(const Figure& figure, const FigureStyle& style, std::string& script) {
  std::vector<std::string> plots;
  for (std::size_t i = 0; i < figure.reference_lines.size(); ++i) {
    const ReferenceLine& line = figure.reference_lines[i];
    const bool across_y = line.axis == ReferenceLine::Across::y;
    const Axis& axis = across_y ? figure.y : figure.x;
    if (!is_drawable(line.value, axis)) continue;
    const double at = plotted(line.value, axis.logarithmic);
    script += fmt::format("{}\nset arrow from {} to {} nohead {}\n", between_lines,
                          across_y ? fmt::format("graph 0, first {}", at) : fmt::format("first {}, graph 0", at),
                          across_y ? fmt::format("graph 1, first {}", at) : fmt::format("first {}, graph 1", at),
                          reference_stroke({Entry::Kind::reference_line, i}, figure, style).text());
  }
  for (std::size_t i = 0; i < figure.reference_curves.size(); ++i) {
    if (!has_drawable_points(figure.reference_curves[i], figure)) continue;
    const std::string block = fmt::format("$reference{}", i);
    script += data_block(block, figure.reference_curves[i], figure);
    plots.push_back(fmt::format("{} using 1:2 with lines {} notitle", block,
                                reference_stroke({Entry::Kind::reference_curve, i}, figure, style).text()));
  }
  return plots;
}

std::string grid_settings() { return fmt::format("set grid ytics lc rgb '{}' lw 0.7 lt 1\n", grid_colour.hex); }

}  // namespace

std::string gnuplot_preamble() {
  // Numbers must be read and written with a point whatever the user's locale.
  return fmt::format(
      "set decimalsign locale 'C'\nset decimalsign '.'\nset encoding utf8\nunset key\nunset colorbox\n"
      "set border 3 lc rgb '{0}' lw 0.8\nset tics nomirror out scale 0.6 textcolor rgb '{0}' enhanced\nset bars 0.6\n",
      muted_colour.hex);
}

std::string gnuplot_script(const Figure& figure, const FigureStyle& style, const std::string& svg_file,
                           const std::string& pdf_file) {
  const FigureLayout layout = figure_layout(figure, style);
  const Screen screen{layout.width, layout.height};
  std::string script = "unset label\nunset arrow\n" + grid_settings();
  script += fmt::format(
      "set lmargin at screen {:.5f}\nset rmargin at screen {:.5f}\nset tmargin at screen {:.5f}\n"
      "set bmargin at screen {:.5f}\n",
      layout.left / layout.width, layout.right / layout.width, 1 - layout.top / layout.height,
      1 - layout.bottom / layout.height);
  script += ticks('x', layout.x) + ticks('y', layout.y);
  std::vector<std::string> plots;
  if (figure.heat) {
    auto [commands, plot] = heat_commands(figure, layout);
    script += commands;
    plots.push_back(std::move(plot));
  }
  for (std::string& plot : reference_plots(figure, style, script)) plots.push_back(std::move(plot));
  for (std::size_t i = 0; i < figure.series.size(); ++i) {
    if (!has_drawable_points(figure.series[i], figure)) continue;
    const std::string block = fmt::format("$series{}", i);
    script += data_block(block, figure.series[i], figure);
    for (std::string& plot : elements(block, figure.series[i], i, intervals_across(figure), style))
      plots.push_back(std::move(plot));
  }
  script += placed_texts(layout, screen) + samples(figure, style, layout, screen);
  const std::string plot = fmt::format("plot {}\n", fmt::join(plots, ", "));
  const auto draw = [&](const std::string& terminal, const std::string& file) {
    script += fmt::format("set terminal {}\nset output {}\n{}set output\n", terminal, quoted(file), plot);
  };
  draw(fmt::format("svg size {:.0f},{:.0f} dynamic enhanced font '{},{:.4g}'", layout.width, layout.height, style.font,
                   layout.em),
       svg_file);
  draw(fmt::format("pdfcairo size {:.4f}in,{:.4f}in enhanced font '{},{:.4g}'", layout.width / 96, layout.height / 96,
                   style.font, style.font_size),
       pdf_file);
  return figure.heat ? script + end_of_heat() : script;
}

}  // namespace attest::reports
