#include "simulations/sweeping/export.hpp"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/files/atomic_file.hpp"
#include "reports/text/csv_field.hpp"
#include "simulations/sweeping/figures.hpp"

namespace attest::sweeps {
namespace {

using nlohmann::ordered_json;
using quantities::Outcome;
using quantities::ResultSpec;
using quantities::Role;

std::string csv_number(double value) { return std::isnan(value) ? std::string() : fmt::format("{}", value); }

std::string field_of(const quantities::Value& value) {
  if (const auto* number = std::get_if<double>(&value)) return quantities::text(quantities::Value(*number));
  return reports::csv_field(std::get<std::string>(value));
}

ordered_json json_number(double value) { return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr); }

ordered_json with_interval(const Outcome& outcome) {
  return {json_number(outcome.value), json_number(outcome.interval.lower), json_number(outcome.interval.upper)};
}

/// Whether intervals enclose what is computed or hold, for their classes of laws, after every number of samples.
const char* intervals_of(const quantities::Quantity& quantity) {
  return quantity.deterministic() ? "enclosure" : "anytime";
}

/// What each class of intervals that a result has over these rows promises: {"range": "holds ...", ...}.
ordered_json promises(const Spec& spec, const ResultSpec& result, const std::vector<Row>& rows) {
  ordered_json all = ordered_json::object();
  for (const Row& row : rows)
    if (const auto known = interval_class(*spec.quantity, result, row.point->arguments))
      all[quantities::interval_word(known)] = statistics::promise_clause(*known);
    else
      all["enclosure"] = "encloses a computed value";
  return all;
}

ordered_json describe(const Spec& spec, const std::vector<Row>& rows) {
  const quantities::Quantity& q = *spec.quantity;
  ordered_json parameters = ordered_json::array(), results = ordered_json::array();
  for (const auto& parameter : q.parameters)
    parameters.push_back({{"name", parameter.name},
                          {"meaning", parameter.meaning},
                          {"swept", find_axis(spec, parameter.name) != nullptr}});
  for (const ResultSpec& result : q.results) {
    results.push_back({{"name", result.name},
                       {"meaning", result.meaning},
                       {"role", result.role == Role::estimate ? "estimate" : "reference"}});
    if (result.role == Role::estimate) results.back()["intervals"] = promises(spec, result, rows);
  }
  return {{"name", q.name},
          {"title", q.title},
          {"formula", q.formula},
          {"source", q.source},
          {"version", q.version},
          {"sample_unit", q.sample_unit},
          {"intervals", intervals_of(q)},
          {"confidence", q.deterministic() ? 1 : 1 - quantities::error_level},
          {"parameters", parameters},
          {"results", results}};
}

ordered_json json_row(const Spec& spec, const Row& row) {
  ordered_json parameters = ordered_json::object(), results = ordered_json::object();
  for (const auto& parameter : spec.quantity->parameters)
    std::visit([&](const auto& value) { parameters[parameter.name] = value; },
               row.point->arguments.values().find(parameter.name)->second);
  for (const ResultSpec& result : spec.quantity->results)
    results[result.name] = with_interval(row.outcomes->at(result.name));
  return {{"parameters", parameters}, {"results", results}};
}

}  // namespace

std::vector<Row> rows_of(const std::vector<Point>& points, const Finished& finished) {
  std::vector<Row> rows;
  for (const Point& point : points)
    if (const auto found = finished.find(point.id); found != finished.end()) rows.push_back({&point, &found->second});
  return rows;
}

std::string points_csv(const Spec& spec, const std::vector<Row>& rows) {
  std::string csv;
  const auto field = [&](const std::string& content) {
    csv += content;
    csv += ',';
  };
  const auto end_row = [&] { csv.back() = '\n'; };
  for (const auto& parameter : spec.quantity->parameters) field(parameter.name);
  for (const ResultSpec& result : spec.quantity->results) {
    field(result.name);
    if (result.role == Role::reference) continue;
    field(result.name + "_lower");
    field(result.name + "_upper");
    field(result.name + "_interval");
  }
  end_row();
  for (const Row& row : rows) {
    for (const auto& parameter : spec.quantity->parameters)
      field(field_of(row.point->arguments.values().find(parameter.name)->second));
    for (const ResultSpec& result : spec.quantity->results) {
      const Outcome& outcome = row.outcomes->at(result.name);
      field(csv_number(outcome.value));
      if (result.role == Role::reference) continue;
      field(csv_number(outcome.interval.lower));
      field(csv_number(outcome.interval.upper));
      field(quantities::interval_word(interval_class(*spec.quantity, result, row.point->arguments)));
    }
    end_row();
  }
  return csv;
}

std::string points_json(const Spec& spec, const std::vector<Row>& rows, std::size_t points_in_all,
                        const std::string& version) {
  ordered_json points = ordered_json::array();
  for (const Row& row : rows) points.push_back(json_row(spec, row));
  DrawnSweep drawn = draw(spec, rows);
  const ordered_json document = {{"schema", "attest-sweep-2"},
                                 {"name", spec.name},
                                 {"title", spec.title},
                                 {"text", spec.text},
                                 {"version", version},
                                 {"seed", spec.quantity->deterministic() ? "" : std::to_string(spec.seed)},
                                 {"samples", spec.samples},
                                 {"points_in_all", points_in_all},
                                 {"quantity", describe(spec, rows)},
                                 {"points", std::move(points)},
                                 {"fits", std::move(drawn.fits)},
                                 {"figures", std::move(drawn.figures)}};
  return document.dump(1) + "\n";
}

void write_exports(const Spec& spec, const std::vector<Point>& points, const Finished& finished,
                   const std::filesystem::path& directory, const std::string& version) {
  const std::vector<Row> rows = rows_of(points, finished);
  reports::write_file_atomically(directory / "points.csv", points_csv(spec, rows));
  reports::write_file_atomically(directory / "points.json", points_json(spec, rows, points.size(), version));
}

}  // namespace attest::sweeps
