// What a measurement reports: prose, numbers, tables and figures as data.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "simulations/measure/estimate.hpp"

namespace attest::measure {

/// A table of text cells; every row has as many cells as there are columns.
struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows{};
  std::string caption{};
};

/// A curve or cloud of points; `lower` and `upper` are empty or as long as `x`.
struct Series {
  std::string name;
  std::string style;  ///< "points", "line" or "linespoints"
  std::vector<double> x{}, y{}, lower{}, upper{};

  /// Adds a point with its interval.
  void add(double at, const Estimate& estimate);
};

/// One value as a colour at points of a plane: cells where they make a full grid, dots otherwise.
struct Heat {
  std::string label;
  std::vector<double> x, y, z;
};

/// A figure; `references` are curves to compare the series with.
struct Figure {
  std::string name;  ///< file stem, unique in a run: letters, digits, '_' and '-'
  std::string title;
  std::string x_label, y_label;
  bool x_log = false, y_log = false;
  std::vector<Series> series{};
  std::vector<Series> references{};
  std::string caption{};
  std::optional<Heat> heat{};
};

/// The name as part of a figure's file stem: other characters than letters, digits, '_' and '-' become '-'.
std::string file_stem(std::string name);

/// One number for programs: what it is, where it was taken, and its interval.
struct Quantity {
  std::string name;   ///< such as "alpha"
  std::string where;  ///< the conditions, such as "noise 0.5, whole image"
  Estimate estimate;
};

/// One measurement on one kind of data.
struct Measurement {
  std::string id;  ///< "<measurement>/<data>"
  std::string title;
  std::string text;  ///< what was computed, and what the numbers say
  std::vector<Table> tables;
  std::vector<Figure> figures;
  std::vector<Quantity> quantities;
};

/// A number of a table row.
struct Number {
  std::string name;
  std::optional<Estimate> estimate;  ///< none where the number does not exist
};

/// Adds a row to `table`, the conditions as they are and the numbers as text ("-" where there is none), and files the
/// numbers as quantities of `measurement` taken where the conditions say. The columns after the conditions' take the
/// names of the first row's numbers. Precondition: `table.columns` names the conditions when the first row is added.
void add_row(Measurement& measurement, Table& table, const std::vector<std::string>& conditions,
             const std::vector<Number>& numbers);

/// {id, title, text, tables: [{caption, columns, rows}], figures: [{name, title, caption, x: {label, scale:
/// linear|log}, y, series: [{name, style, points: [[x, y] or [x, y, lower, upper]]}], references: [{name, points}],
/// heat: {label, points: [[x, y, value]]} where there is one}], quantities:
/// [{name, where, estimate, interval: [lower, upper], level, units}]}.
nlohmann::json to_json(const Measurement& measurement);

}  // namespace attest::measure
