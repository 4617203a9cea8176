#include "simulations/sweeping/read_figure_spec.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace attest::sweeps {
namespace {

using quantities::ResultSpec;
using quantities::Value;

const Axis& axis_of(const Spec& spec, const spec::TomlPlace& place, std::string_view key,
                    const std::string& parameter) {
  if (const Axis* axis = find_axis(spec, parameter)) return *axis;
  std::vector<std::string> known;
  for (const Axis& axis : spec.axes) known.push_back(axis.parameter->name);
  place.reject(
      key, fmt::format("{} = \"{}\" is not an axis of this sweep; it has {}", key, parameter, fmt::join(known, ", ")));
}

void check_results(const Spec& spec, const spec::TomlPlace& place, std::string_view key,
                   const std::vector<std::string>& results) {
  std::vector<std::string> known;
  for (const ResultSpec& result : spec.quantity->results) known.push_back(result.name);
  for (const std::string& result : results)
    if (std::find(known.begin(), known.end(), result) == known.end())
      place.reject(key, fmt::format("{} = \"{}\" is not a result of {}; it has {}", key, result, spec.quantity->name,
                                    fmt::join(known, ", ")));
}

std::vector<std::string> fitted(spec::TomlPlace& place, std::string_view key, const FigureSpec& figure) {
  if (!place.has(key)) return {};
  std::vector<std::string> results = place.strings(key);
  for (const std::string& result : results)
    if (!figure.heat.empty() || std::find(figure.y.begin(), figure.y.end(), result) == figure.y.end())
      place.reject(key, fmt::format("{} = \"{}\" is not among y; fit what is drawn", key, result));
  return results;
}

void read_pins(const Spec& spec, spec::TomlPlace& place, FigureSpec& figure) {
  std::optional<spec::TomlPlace> pins = place.table("at", "at");
  if (!pins) return;
  for (const std::string& key : pins->keys()) {
    const Axis& axis = axis_of(spec, *pins, key, key);
    const Value value = pins->value(key);
    if (!axis.drawn() && std::find(axis.values.begin(), axis.values.end(), value) == axis.values.end())
      pins->reject(key, fmt::format("{} = {} is not a value of its axis", key, quantities::text(value)));
    figure.at.emplace(key, value);
  }
}

/// Every axis must be shown, told apart or held.
void check_axes_are_used(const Spec& spec, const spec::TomlPlace& place, const FigureSpec& figure) {
  for (const Axis& axis : spec.axes) {
    const std::string& name = axis.parameter->name;
    const bool used = name == figure.x || name == figure.by || figure.at.contains(name) ||
                      (!figure.heat.empty() && name == figure.y.front());
    if (!used && (axis.drawn() ? figure.heat.empty() : axis.values.size() > 1))
      place.reject(
          "x", fmt::format("axis {} has several values: name it in by, or hold it with at = {{{} = ...}}", name, name));
  }
}

bool is_file_stem(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(),
                                      [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; });
}

bool is_logarithmic(spec::TomlPlace& place, std::string_view key, bool fallback) {
  return place.choice(key, {"linear", "log"}, fallback ? "log" : "linear") == "log";
}

}  // namespace

FigureSpec read_figure_spec(const Spec& spec, spec::TomlPlace& place) {
  FigureSpec figure;
  std::string otherwise = fmt::format("{}-{}", spec.name, spec.figures.size() + 1);
  std::ranges::replace_if(
      otherwise, [](char c) { return !is_file_stem(std::string(1, c)); }, '_');
  figure.name = place.string_or("name", otherwise);
  if (!is_file_stem(figure.name))
    place.reject("name", fmt::format("name = \"{}\" becomes a file: use letters, digits, _ and -", figure.name));
  for (const FigureSpec& other : spec.figures)
    if (other.name == figure.name)
      place.reject("name", fmt::format("two figures are called {}; give each a name of its own", figure.name));
  figure.title = place.string_or("title", spec.title);
  figure.caption = place.string_or("caption", "");
  figure.x = place.string("x");
  const Axis& x = axis_of(spec, place, "x", figure.x);
  figure.y = place.strings("y");
  figure.heat = place.string_or("heat", "");
  bool y_fallback = false;
  if (figure.heat.empty()) {
    check_results(spec, place, "y", figure.y);
  } else {
    if (figure.y.size() != 1) place.reject("y", "a heat map has one parameter as y");
    y_fallback = axis_of(spec, place, "y", figure.y.front()).logarithmic;
    check_results(spec, place, "heat", {figure.heat});
  }
  figure.x_logarithmic = is_logarithmic(place, "x_scale", x.logarithmic);
  figure.y_logarithmic = is_logarithmic(place, "y_scale", y_fallback);
  figure.heat_logarithmic = is_logarithmic(place, "heat_scale", false);
  figure.by = place.string_or("by", "");
  if (!figure.by.empty()) axis_of(spec, place, "by", figure.by);
  if (!figure.by.empty() && !figure.heat.empty()) place.reject("by", "a heat map has one series; leave by out");
  read_pins(spec, place, figure);
  figure.power_law = fitted(place, "power_law", figure);
  figure.root_law = fitted(place, "root_law", figure);
  for (spec::TomlPlace& curve : place.tables("curve", "curve")) {
    figure.curves.push_back({curve.string("name"), curve.pairs("points")});
    curve.refuse_unread();
  }
  check_axes_are_used(spec, place, figure);
  place.refuse_unread();
  return figure;
}

}  // namespace attest::sweeps
