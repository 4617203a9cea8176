#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "reports/figures/figure_files.hpp"
#include "reports/text/csv_field.hpp"
#include "reports/text/readable_tex.hpp"

namespace attest::reports {
namespace {

/// In quotes, on one line.
std::string name_field(const std::string& name) {
  std::string text = readable_text(name);
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  return csv_quoted(text);
}

std::string number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : ""; }

/// The name that stands on an axis at this point, where an axis has names instead of numbers.
std::string place_of(const Figure& figure, double x, double y) {
  for (const auto& [axis, at] : {std::pair{&figure.x, x}, {&figure.y, y}})
    for (const auto& [value, name] : axis->places)
      if (value == at) return name;
  return "";
}

}  // namespace

std::string figure_csv(const Figure& figure) {
  if (figure.heat) {
    std::string csv = "heat,x,y,value\r\n";
    const HeatMap& heat = *figure.heat;
    for (std::size_t i = 0; i < heat.z.size(); ++i)
      csv += fmt::format("{},{},{},{}\r\n", name_field(heat.value.label), number(heat.x[i]), number(heat.y[i]),
                         number(heat.z[i]));
    return csv;
  }
  const bool names = !figure.x.places.empty() || !figure.y.places.empty();
  const auto end = [&](const std::string& place) { return (names ? "," + name_field(place) : "") + "\r\n"; };
  std::string csv = "series,x,y,lower,upper" + std::string(names ? ",place" : "") + "\r\n";
  for (const auto* list : {&figure.series, &figure.reference_curves}) {
    for (const Series& series : *list) {
      for (std::size_t i = 0; i < series.x.size(); ++i)
        csv += fmt::format("{},{},{},{},{}", name_field(series.label), number(series.x[i]), number(series.y[i]),
                           series.lower.empty() ? "" : number(series.lower[i]),
                           series.upper.empty() ? "" : number(series.upper[i])) +
               end(place_of(figure, series.x[i], series.y[i]));
    }
  }
  for (const ReferenceLine& line : figure.reference_lines) {
    const bool across_x = line.axis == ReferenceLine::Across::x;
    csv += fmt::format("{},{},{},,", name_field(line.label), across_x ? number(line.value) : "",
                       across_x ? "" : number(line.value)) +
           end("");
  }
  return csv;
}

}  // namespace attest::reports
