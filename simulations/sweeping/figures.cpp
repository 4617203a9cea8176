#include "simulations/sweeping/figures.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "simulations/sweeping/fit.hpp"

namespace attest::sweeps {
namespace {

using nlohmann::ordered_json;
using quantities::Outcome;
using quantities::Role;
using quantities::Value;

const Value& value_at(const Row& row, const std::string& parameter) {
  return row.point->arguments.values().find(parameter)->second;
}

double number_at(const Row& row, const std::string& parameter) {
  const auto* number = std::get_if<double>(&value_at(row, parameter));
  return number == nullptr ? std::nan("") : *number;
}

Role role_of(const Spec& spec, const std::string& result) { return result_named(*spec.quantity, result).role; }

bool selected(const Row& row, const FigureSpec& figure) {
  return std::all_of(figure.at.begin(), figure.at.end(),
                     [&](const auto& pin) { return value_at(row, pin.first) == pin.second; });
}

/// The values that tell series apart, in the order in which they appear; one empty word without `by`.
std::vector<Value> series_values(const FigureSpec& figure, const std::vector<Row>& rows) {
  if (figure.by.empty()) return {Value(std::string())};
  std::vector<Value> values;
  for (const Row& row : rows) {
    const Value& value = value_at(row, figure.by);
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
  }
  return values;
}

Trace trace_of(const FigureSpec& figure, const std::vector<Row>& rows, const std::string& result, const Value& by) {
  std::vector<std::pair<double, Outcome>> points;
  for (const Row& row : rows)
    if (selected(row, figure) && (figure.by.empty() || value_at(row, figure.by) == by))
      points.emplace_back(number_at(row, figure.x), row.outcomes->at(result));
  std::stable_sort(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  Trace trace;
  for (const auto& [x, y] : points) {
    trace.x.push_back(x);
    trace.y.push_back(y);
  }
  return trace;
}

ordered_json json_number(double value) { return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr); }

ordered_json json_points(const Trace& trace, bool intervals) {
  ordered_json points = ordered_json::array();
  for (std::size_t i = 0; i < trace.x.size(); ++i) {
    ordered_json point = {trace.x[i], json_number(trace.y[i].value)};
    if (intervals) {
      point.push_back(json_number(trace.y[i].interval.lower));
      point.push_back(json_number(trace.y[i].interval.upper));
    }
    points.push_back(std::move(point));
  }
  return points;
}

ordered_json axis(const std::string& label, bool logarithmic) {
  return {{"label", label}, {"scale", logarithmic ? "log" : "linear"}};
}

std::string spelled(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::string marked(const std::string& result, const std::string& mark) {
  return mark.empty() ? result : result + ", " + mark;
}

/// One figure on its way into JSON, and the fits found on the way.
struct Drawing {
  const Spec& spec;
  const FigureSpec& figure;
  ordered_json series = ordered_json::array(), references = ordered_json::array(), fits = ordered_json::array();
  std::vector<std::pair<std::string, std::size_t>> reference_places = {};

  /// `mark`: which of the series it belongs to. A formula that does not depend on what tells the series apart is drawn
  /// once and belongs to none.
  void add_reference(const std::string& result, const std::string& mark, ordered_json points) {
    for (const auto& [other, place] : reference_places)
      if (other == result && references[place]["points"] == points) {
        references[place]["name"] = result;
        return;
      }
    reference_places.emplace_back(result, references.size());
    references.push_back({{"name", marked(result, mark)}, {"points", std::move(points)}});
  }

  void add_fits(const std::vector<Fit>& found, const std::string& name) {
    for (const Fit& fit : found) {
      ordered_json terms = ordered_json::object();
      for (const auto& [term, outcome] : fit.terms)
        terms[term] = {json_number(outcome.value), json_number(outcome.interval.lower),
                       json_number(outcome.interval.upper)};
      fits.push_back({{"figure", figure.name},
                      {"series", name},
                      {"law", fit.law},
                      {"terms", terms},
                      {"points", fit.points},
                      {"largest_residual", json_number(fit.largest_residual)}});
      const bool only_one = figure.by.empty() && figure.power_law.size() + figure.root_law.size() == 1;
      references.push_back({{"name", only_one ? fit.label : fmt::format("{}: {}", name, fit.label)},
                            {"points", json_points(fit.curve, false)}});
    }
  }
};

void add_series(Drawing& drawing, const std::vector<Row>& rows) {
  const FigureSpec& figure = drawing.figure;
  const auto has = [](const std::vector<std::string>& list, const std::string& name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  for (const Value& by : series_values(figure, rows)) {
    const std::string mark = figure.by.empty() ? "" : fmt::format("{} = {}", figure.by, quantities::text(by));
    for (const std::string& result : figure.y) {
      const Trace trace = trace_of(figure, rows, result, by);
      if (trace.x.empty()) continue;
      const std::string name = marked(spelled(result), mark);
      if (role_of(drawing.spec, result) == Role::reference) {
        drawing.add_reference(spelled(result), mark, json_points(trace, false));
      } else {
        drawing.series.push_back(
            {{"name", figure.y.size() == 1 && !mark.empty() ? mark : name}, {"points", json_points(trace, true)}});
      }
      if (has(figure.power_law, result)) drawing.add_fits(fit_power_law_of(trace, figure.x), name);
      if (has(figure.root_law, result)) drawing.add_fits(fit_root_law_of(trace, figure.x), name);
    }
  }
}

/// The names of what is measured: what it is compared with has names of its own beside the curves.
std::string y_label(const Spec& spec, const FigureSpec& figure) {
  if (!figure.heat.empty()) return spelled(figure.y.front());
  std::vector<std::string> names;
  for (const std::string& result : figure.y)
    if (role_of(spec, result) == Role::estimate) names.push_back(spelled(result));
  return names.empty() ? spelled(figure.y.front()) : fmt::format("{}", fmt::join(names, ", "));
}

ordered_json heat_of(const FigureSpec& figure, const std::vector<Row>& rows) {
  ordered_json points = ordered_json::array();
  for (const Row& row : rows)
    if (selected(row, figure))
      points.push_back({number_at(row, figure.x), number_at(row, figure.y.front()),
                        json_number(row.outcomes->at(figure.heat).value)});
  return {{"label", spelled(figure.heat)},
          {"scale", figure.heat_logarithmic ? "log" : "linear"},
          {"points", std::move(points)}};
}

}  // namespace

DrawnSweep draw(const Spec& spec, const std::vector<Row>& rows) {
  ordered_json figures = ordered_json::array(), fits = ordered_json::array();
  for (const FigureSpec& figure : spec.figures) {
    Drawing drawing{spec, figure};
    if (figure.heat.empty()) add_series(drawing, rows);
    for (const Curve& curve : figure.curves) {
      ordered_json points = ordered_json::array();
      for (const auto& [x, y] : curve.points) points.push_back({x, y});
      drawing.references.push_back({{"name", curve.name}, {"points", std::move(points)}});
    }
    ordered_json document = {{"name", figure.name},
                             {"title", figure.title},
                             {"caption", figure.caption},
                             {"x", axis(figure.x, figure.x_logarithmic)},
                             {"y", axis(y_label(spec, figure), figure.y_logarithmic)},
                             {"series", std::move(drawing.series)},
                             {"references", std::move(drawing.references)}};
    if (!figure.heat.empty()) document["heat"] = heat_of(figure, rows);
    figures.push_back(std::move(document));
    for (auto& fit : drawing.fits) fits.push_back(std::move(fit));
  }
  return {std::move(figures), std::move(fits)};
}

}  // namespace attest::sweeps
