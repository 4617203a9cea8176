#include "simulations/measure/measurement.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace attest::measure {
namespace {

using nlohmann::json;

json table_json(const Table& table) {
  return {{"caption", table.caption}, {"columns", table.columns}, {"rows", table.rows}};
}

json points_json(const Series& series) {
  json points = json::array();
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    json point = {series.x[i], series.y[i]};
    if (!series.lower.empty()) {
      point.push_back(series.lower[i]);
      point.push_back(series.upper[i]);
    }
    points.push_back(std::move(point));
  }
  return points;
}

json axis_json(const std::string& label, bool logarithmic) {
  return {{"label", label}, {"scale", logarithmic ? "log" : "linear"}};
}

json figure_json(const Figure& figure) {
  json result = {{"name", figure.name},
                 {"title", figure.title},
                 {"caption", figure.caption},
                 {"x", axis_json(figure.x_label, figure.x_log)},
                 {"y", axis_json(figure.y_label, figure.y_log)},
                 {"series", json::array()},
                 {"references", json::array()}};
  for (const Series& series : figure.series) {
    result["series"].push_back({{"name", series.name}, {"style", series.style}, {"points", points_json(series)}});
  }
  for (const Series& curve : figure.references) {
    result["references"].push_back({{"name", curve.name}, {"points", points_json(curve)}});
  }
  if (figure.heat) {
    json points = json::array();
    for (std::size_t i = 0; i < figure.heat->x.size(); ++i)
      points.push_back({figure.heat->x[i], figure.heat->y[i], figure.heat->z[i]});
    result["heat"] = {{"label", figure.heat->label}, {"points", std::move(points)}};
  }
  return result;
}

json quantity_json(const Quantity& quantity) {
  const Estimate& estimate = quantity.estimate;
  return {{"name", quantity.name},      {"where", quantity.where},
          {"estimate", estimate.value}, {"interval", {estimate.lower, estimate.upper}},
          {"level", confidence_level},  {"units", estimate.units}};
}

}  // namespace

std::string file_stem(std::string name) {
  for (char& c : name) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    if (!plain) c = '-';
  }
  return name;
}

void Series::add(double at, const Estimate& estimate) {
  x.push_back(at);
  y.push_back(estimate.value);
  lower.push_back(estimate.lower);
  upper.push_back(estimate.upper);
}

void add_row(Measurement& measurement, Table& table, const std::vector<std::string>& conditions,
             const std::vector<Number>& numbers) {
  if (table.rows.empty()) {
    for (const Number& number : numbers) table.columns.push_back(number.name);
  }
  const std::string where = fmt::format("{}", fmt::join(conditions, ", "));
  std::vector<std::string> row = conditions;
  for (const Number& number : numbers) {
    row.push_back(number.estimate ? to_text(*number.estimate) : "-");
    if (number.estimate) measurement.quantities.push_back({number.name, where, *number.estimate});
  }
  table.rows.push_back(std::move(row));
}

json to_json(const Measurement& measurement) {
  json result = {{"id", measurement.id},    {"title", measurement.title}, {"text", measurement.text},
                 {"tables", json::array()}, {"figures", json::array()},   {"quantities", json::array()}};
  for (const Table& table : measurement.tables) result["tables"].push_back(table_json(table));
  for (const Figure& figure : measurement.figures) result["figures"].push_back(figure_json(figure));
  for (const Quantity& quantity : measurement.quantities) result["quantities"].push_back(quantity_json(quantity));
  return result;
}

}  // namespace attest::measure
