#include "reports/figures/heat_commands.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "reports/figures/data_extremes.hpp"
#include "reports/figures/heat_cells.hpp"
#include "reports/figures/palette.hpp"
#include "reports/figures/set_text.hpp"

namespace attest::reports {
namespace {

constexpr std::size_t most_rectangles = 400;
constexpr std::size_t most_pixels = 240;  ///< of one side

/// The borders between the cells along one axis, as plotted.
std::vector<double> borders(const std::vector<HeatCell>& cells, double HeatCell::*low, double HeatCell::*high,
                            bool logarithmic) {
  std::set<double> all;
  for (const HeatCell& cell : cells) {
    all.insert(plotted(cell.*low, logarithmic));
    all.insert(plotted(cell.*high, logarithmic));
  }
  return {all.begin(), all.end()};
}

std::size_t pixels_for(std::size_t cells) { return cells >= most_pixels ? most_pixels : cells * (most_pixels / cells); }

/// The cell that each pixel's middle lies in.
std::vector<std::size_t> cells_of_pixels(const std::vector<double>& borders) {
  const std::size_t pixels = pixels_for(borders.size() - 1);
  std::vector<std::size_t> cells;
  for (std::size_t i = 0; i < pixels; ++i) {
    const double share = (static_cast<double>(i) + 0.5) / static_cast<double>(pixels);
    const double at = borders.front() + share * (borders.back() - borders.front());
    const auto next = std::upper_bound(borders.begin() + 1, borders.end() - 1, at);
    cells.push_back(static_cast<std::size_t>(next - borders.begin()) - 1);
  }
  return cells;
}

/// The map as an image, which stays small however many cells there are.
std::pair<std::string, std::string> as_image(const std::vector<HeatCell>& cells, const Figure& figure) {
  const bool log_x = figure.x.logarithmic, log_y = figure.y.logarithmic;
  const std::vector<double> columns = borders(cells, &HeatCell::left, &HeatCell::right, log_x);
  const std::vector<double> rows = borders(cells, &HeatCell::bottom, &HeatCell::top, log_y);
  std::vector<std::vector<const HeatCell*>> grid(rows.size() - 1,
                                                 std::vector<const HeatCell*>(columns.size() - 1, nullptr));
  const auto place = [](const std::vector<double>& borders, double value) {
    return static_cast<std::size_t>(std::upper_bound(borders.begin() + 1, borders.end() - 1, value) - borders.begin()) -
           1;
  };
  for (const HeatCell& cell : cells)
    grid[place(rows, plotted(cell.y, log_y))][place(columns, plotted(cell.x, log_x))] = &cell;
  const std::vector<std::size_t> across = cells_of_pixels(columns), up = cells_of_pixels(rows);
  std::string block = "$heat << EOD\n";
  for (const std::size_t row : up) {
    for (const std::size_t column : across) {
      const HeatCell* cell = grid[row][column];
      const bool drawn = cell != nullptr && is_drawable(cell->z, figure.heat->value);
      block += drawn ? fmt::format("{:.8g} ", plotted(cell->z, figure.heat->value.logarithmic)) : "NaN ";
    }
    block += "\n";
  }
  const double dx = (columns.back() - columns.front()) / static_cast<double>(across.size());
  const double dy = (rows.back() - rows.front()) / static_cast<double>(up.size());
  return {block + "EOD\n", fmt::format("$heat matrix using ({}+$1*{}):({}+$2*{}):3 with image notitle",
                                       columns.front() + dx / 2, dx, rows.front() + dy / 2, dy)};
}

std::pair<std::string, std::string> as_rectangles(const std::vector<HeatCell>& cells, const Figure& figure) {
  const bool log_x = figure.x.logarithmic, log_y = figure.y.logarithmic;
  std::string block = "$heat << EOD\n";
  for (const HeatCell& cell : cells)
    if (is_drawable(cell.z, figure.heat->value))
      block += fmt::format("{} {} {} {} {} {} {}\n", plotted(cell.x, log_x), plotted(cell.y, log_y),
                           plotted(cell.left, log_x), plotted(cell.right, log_x), plotted(cell.bottom, log_y),
                           plotted(cell.top, log_y), plotted(cell.z, figure.heat->value.logarithmic));
  return {block + "EOD\n", "$heat using 1:2:3:4:5:6:7 with boxxyerror fill solid noborder lc palette notitle"};
}

std::pair<std::string, std::string> as_dots(const Figure& figure) {
  const HeatMap& heat = *figure.heat;
  std::string block = "$heat << EOD\n";
  for (std::size_t i = 0; i < heat.z.size(); ++i)
    if (is_drawable(heat.x[i], figure.x) && is_drawable(heat.y[i], figure.y) && is_drawable(heat.z[i], heat.value))
      block += fmt::format("{:.8g} {:.8g} {:.8g}\n", plotted(heat.x[i], figure.x.logarithmic),
                           plotted(heat.y[i], figure.y.logarithmic), plotted(heat.z[i], heat.value.logarithmic));
  return {block + "EOD\n", "$heat using 1:2:3 with points pt 7 ps 0.5 lc palette notitle"};
}

}  // namespace

double plotted(double value, bool logarithmic) { return logarithmic ? std::log10(value) : value; }

std::pair<std::string, std::string> heat_commands(const Figure& figure, const FigureLayout& layout) {
  const std::vector<HeatCell> cells = heat_cells(*figure.heat, figure.x.logarithmic, figure.y.logarithmic);
  auto [data, plot] = cells.empty()                     ? as_dots(figure)
                      : cells.size() <= most_rectangles ? as_rectangles(cells, figure)
                                                        : as_image(cells, figure);
  std::string ticks;
  for (const Tick& tick : layout.value.ticks)
    ticks += fmt::format("{}'{}' {}", ticks.empty() ? "" : ", ", enhanced_tick(tick.label),
                         plotted(tick.value, layout.value.logarithmic));
  // From dark to light, so that it also reads in print and without colours.
  return {fmt::format("set palette defined (0 '#2b1055', 0.25 '#3b528b', 0.5 '#21918c', 0.75 '#5ec962', 1 '#fde725') "
                      "maxcolors 64\nset cbtics ({}) scale 0.4 textcolor rgb '{}'\nset cbrange [{}:{}]\n"
                      "set colorbox user origin screen {:.5f},{:.5f} size screen {:.5f},{:.5f} noborder\nunset grid\n",
                      ticks, muted_colour.hex, plotted(layout.value.low, layout.value.logarithmic),
                      plotted(layout.value.high, layout.value.logarithmic), layout.bar_left / layout.width,
                      1 - layout.bottom / layout.height, (layout.bar_right - layout.bar_left) / layout.width,
                      (layout.bottom - layout.top) / layout.height) +
              data,
          plot};
}

std::string end_of_heat() { return "unset colorbox\nunset cbtics\n"; }

}  // namespace attest::reports
