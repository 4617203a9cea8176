#include "reports/figures/read_figure.hpp"

#include <algorithm>
#include <cctype>
#include <functional>

#include <fmt/format.h>

#include "reports/text/numbers.hpp"

namespace attest::reports {
namespace {

bool is_file_stem(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(),
                                      [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; });
}

void read_style(const JsonPlace& place, Series& series) {
  const std::string style = place.string_or_empty("style");
  if (style.empty()) {
    series.line = std::is_sorted(series.x.begin(), series.x.end(), std::less_equal<>()) && series.x.size() > 1;
    series.markers = !series.line || series.x.size() <= 40;
  } else if (style == "points" || style == "line" || style == "linespoints") {
    series.line = style != "points";
    series.markers = style != "line";
  } else {
    place.at("style").reject(fmt::format("is \"{}\", expected points, line or linespoints", style));
  }
}

Series read_series(const JsonPlace& place) {
  Series series;
  series.label = place.string_or_empty("name");
  for (const JsonPlace& point : place.at("points").elements()) {
    const std::vector<double> numbers = point.numbers();
    if (numbers.size() != 2 && numbers.size() != 4) {
      point.reject(
          fmt::format("has {}, expected [x, y] or [x, y, lower, upper]", counted(std::ssize(numbers), "number")));
    }
    series.x.push_back(numbers[0]);
    series.y.push_back(numbers[1]);
    if (numbers.size() == 2) continue;
    series.lower.push_back(numbers[2]);
    series.upper.push_back(numbers[3]);
  }
  if (!series.lower.empty() && series.lower.size() != series.x.size()) {
    place.at("points").reject("has intervals at some points only, expected them at all or none");
  }
  read_style(place, series);
  return series;
}

void read_reference(const JsonPlace& place, Figure& figure) {
  const auto x = place.number_if_any("x");
  const auto y = place.number_if_any("y");
  if (x || y) {
    figure.reference_lines.push_back(
        {place.string_or_empty("name"), x ? ReferenceLine::Across::x : ReferenceLine::Across::y, x ? *x : *y});
    return;
  }
  Series curve = read_series(place);
  curve.line = true;
  curve.markers = false;
  figure.reference_curves.push_back(std::move(curve));
}

Axis read_axis(const JsonPlace& place) {
  const std::string scale = place.string_or_empty("scale");
  if (!scale.empty() && scale != "linear" && scale != "log") {
    place.at("scale").reject(fmt::format("is \"{}\", expected linear or log", scale));
  }
  Axis axis{place.string_or_empty("label"), scale == "log"};
  if (const auto places = place.find("places")) {
    for (const JsonPlace& named : places->elements()) {
      const std::vector<JsonPlace> pair = named.elements();
      if (pair.size() != 2)
        named.reject(fmt::format("has {}, expected [value, name]", counted(std::ssize(pair), "element")));
      axis.places.emplace_back(pair[0].number(), pair[1].string());
    }
  }
  return axis;
}

HeatMap read_heat(const JsonPlace& place) {
  HeatMap heat;
  heat.value = read_axis(place);
  for (const JsonPlace& point : place.at("points").elements()) {
    const std::vector<double> numbers = point.numbers();
    if (numbers.size() != 3)
      point.reject(fmt::format("has {}, expected [x, y, value]", counted(std::ssize(numbers), "number")));
    heat.x.push_back(numbers[0]);
    heat.y.push_back(numbers[1]);
    heat.z.push_back(numbers[2]);
  }
  return heat;
}

}  // namespace

Figure read_figure(const JsonPlace& place) {
  Figure figure;
  figure.name = place.at("name").string();
  if (!is_file_stem(figure.name)) {
    place.at("name").reject(
        fmt::format("is \"{}\", expected a file stem of letters, digits, '_' and '-'", figure.name));
  }
  figure.title = place.string_or_empty("title");
  figure.caption = place.string_or_empty("caption");
  figure.x = read_axis(place.at("x"));
  figure.y = read_axis(place.at("y"));
  for (const JsonPlace& series : place.at("series").elements()) figure.series.push_back(read_series(series));
  if (const auto references = place.find("references")) {
    for (const JsonPlace& reference : references->elements()) read_reference(reference, figure);
  }
  if (const auto heat = place.find("heat")) figure.heat = read_heat(*heat);
  return figure;
}

}  // namespace attest::reports
