#include "simulations/sweeping/spec.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/names/nearest.hpp"
#include "simulations/spec/toml_place.hpp"
#include "simulations/sweeping/read_figure_spec.hpp"

namespace attest::sweeps {
namespace {

using quantities::Parameter;
using quantities::Quantity;
using quantities::Value;

const Parameter& parameter_of(const Quantity& quantity, const spec::TomlPlace& place, const std::string& name) {
  std::vector<std::string> known;
  for (const Parameter& parameter : quantity.parameters) {
    if (parameter.name == name) return parameter;
    known.push_back(parameter.name);
  }
  place.reject(name, fmt::format("{} has no parameter {}; it takes {}", quantity.name, name, fmt::join(known, ", ")));
}

void check(const Parameter& parameter, const Value& value, const spec::TomlPlace& place) {
  try {
    parameter.check(value);
  } catch (const std::invalid_argument& refusal) {
    place.reject(parameter.name, refusal.what());
  }
}

/// `points` values from `from` to `to`, both included; of an integer parameter rounded, and each once.
std::vector<Value> grid(const Axis& axis, std::uint64_t points) {
  std::vector<double> values;
  for (std::uint64_t i = 0; i < points; ++i) {
    const double share = points == 1 ? 0 : static_cast<double>(i) / static_cast<double>(points - 1);
    double value =
        axis.logarithmic ? axis.from * std::pow(axis.to / axis.from, share) : axis.from + (axis.to - axis.from) * share;
    if (i > 0 && i + 1 == points) value = axis.to;  // The formulas may miss it by a rounding error.
    if (axis.parameter->kind == Parameter::Kind::integer) value = std::round(value);
    if (values.empty() || values.back() != value) values.push_back(value);
  }
  return {values.begin(), values.end()};
}

Axis read_range(const Parameter& parameter, spec::TomlPlace place, spec::TomlPlace& axes) {
  Axis axis{.parameter = &parameter};
  if (parameter.kind == Parameter::Kind::word)
    axes.reject(parameter.name, fmt::format("axis {} takes words; list them", parameter.name));
  axis.from = place.number("from");
  axis.to = place.number("to");
  axis.logarithmic = place.choice("scale", {"linear", "log"}, "linear") == "log";
  if (!(axis.from < axis.to)) place.reject("to", fmt::format("axis {}: to must lie above from", parameter.name));
  if (axis.logarithmic && !(axis.from > 0))
    place.reject("from", fmt::format("axis {}: a log scale begins above 0", parameter.name));
  for (const double end : {axis.from, axis.to}) check(parameter, end, axes);
  if (place.has("points")) axis.values = grid(axis, place.count("points", 2, most_points));
  place.refuse_unread();
  return axis;
}

Axis read_axis(const Parameter& parameter, spec::TomlPlace& axes) {
  if (axes.is_table(parameter.name)) {
    std::optional<spec::TomlPlace> range = axes.table(parameter.name, "axis " + parameter.name);
    return read_range(parameter, *range, axes);
  }
  Axis axis{.parameter = &parameter, .values = axes.values(parameter.name)};
  std::set<Value> known;
  for (const Value& value : axis.values) {
    check(parameter, value, axes);
    if (!known.insert(value).second)
      axes.reject(parameter.name, fmt::format("axis {} holds {} twice", parameter.name, quantities::text(value)));
  }
  return axis;
}

void read_axes(Spec& spec, spec::TomlPlace& root) {
  std::optional<spec::TomlPlace> axes = root.table("axes", "[axes]");
  if (!axes || axes->keys().empty()) root.reject("axes", "the sweep lacks [axes]; name at least one parameter there");
  for (const std::string& key : axes->keys()) {
    const Parameter& parameter = parameter_of(*spec.quantity, *axes, key);
    if (spec.fixed.contains(key)) axes->reject(key, fmt::format("{} is an axis and fixed too; leave one out", key));
    spec.axes.push_back(read_axis(parameter, *axes));
  }
}

void read_design(Spec& spec, spec::TomlPlace& root) {
  const auto drawn = std::find_if(spec.axes.begin(), spec.axes.end(), [](const Axis& axis) { return axis.drawn(); });
  std::optional<spec::TomlPlace> design = root.table("design", "[design]");
  if (!design && drawn == spec.axes.end()) return;
  if (!design)
    root.reject("axes", fmt::format("axis {} has no points; give their number, or a [design] that draws them",
                                    drawn->parameter->name));
  if (drawn == spec.axes.end())
    root.reject("design", "the design has no axis to fill: leave out points where it should draw them");
  spec.design = design->choice("kind", {"random", "sobol"}, "sobol") == "sobol" ? Design::sobol : Design::random;
  spec.drawn_points = design->count("points", 1, most_points);
  design->refuse_unread();
}

void check_size(const Spec& spec, const spec::TomlPlace& root) {
  auto points = static_cast<double>(spec.drawn_points);
  for (const Axis& axis : spec.axes)
    if (!axis.drawn()) points *= static_cast<double>(axis.values.size());
  if (points > static_cast<double>(most_points))
    root.reject("axes", fmt::format("the axes make {:.0f} points; a sweep has at most {}", points, most_points));
}

}  // namespace

const Axis* find_axis(const Spec& spec, std::string_view parameter) {
  const auto found = std::find_if(spec.axes.begin(), spec.axes.end(),
                                  [&](const Axis& axis) { return axis.parameter->name == parameter; });
  return found == spec.axes.end() ? nullptr : &*found;
}

Spec read_spec(std::string_view text, std::string_view source, std::string name) {
  const toml::table document = spec::parse_toml(text, source);
  spec::TomlPlace root(document, source, "the sweep");
  Spec spec;
  spec.name = std::move(name);
  const std::string quantity = root.string("quantity");
  try {
    spec.quantity = &quantities::find_quantity(quantity);
  } catch (const std::invalid_argument& refusal) {
    root.reject("quantity", refusal.what());
  }
  spec.title = root.string_or("title", spec.quantity->title);
  spec.text = root.string_or("text", "");
  if (root.has("seed")) spec.seed = root.count("seed", 0, std::numeric_limits<std::int64_t>::max());
  spec.samples = spec.quantity->default_samples;
  if (root.has("samples")) {
    if (spec.quantity->deterministic())
      root.reject("samples", fmt::format("{} is computed, not sampled, and takes no samples", spec.quantity->name));
    spec.samples = root.count("samples", 1, std::uint64_t{1} << 47U);
  }
  if (std::optional<spec::TomlPlace> fixed = root.table("parameters", "[parameters]")) {
    for (const std::string& key : fixed->keys()) {
      const Parameter& parameter = parameter_of(*spec.quantity, *fixed, key);
      const Value value = fixed->value(key);
      check(parameter, value, *fixed);
      spec.fixed.emplace(key, value);
    }
  }
  read_axes(spec, root);
  read_design(spec, root);
  check_size(spec, root);
  for (spec::TomlPlace& figure : root.tables("figure", "figure"))
    spec.figures.push_back(read_figure_spec(spec, figure));
  root.refuse_unread();
  return spec;
}

}  // namespace attest::sweeps
