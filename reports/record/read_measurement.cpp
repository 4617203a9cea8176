#include "reports/record/read_measurement.hpp"

#include <fmt/format.h>

#include "reports/figures/read_figure.hpp"
#include "reports/text/numbers.hpp"

namespace attest::reports {

std::vector<Figure> read_figures(const JsonPlace& place) {
  std::vector<Figure> figures;
  if (const auto list = place.find("figures")) {
    for (const JsonPlace& figure : list->elements()) figures.push_back(read_figure(figure));
  }
  return figures;
}

std::vector<Table> read_tables(const JsonPlace& place) {
  std::vector<Table> tables;
  const auto list = place.find("tables");
  if (!list) return tables;
  for (const JsonPlace& table_place : list->elements()) {
    Table table{table_place.string_or_empty("caption"), table_place.at("columns").strings(), {}};
    for (const JsonPlace& row_place : table_place.at("rows").elements()) {
      std::vector<std::string> row;
      for (const JsonPlace& cell : row_place.elements()) row.push_back(cell.is_null() ? "" : cell.text());
      if (row.size() != table.columns.size()) {
        row_place.reject(fmt::format("has {} for {}", counted(std::ssize(row), "cell"),
                                     counted(std::ssize(table.columns), "column")));
      }
      table.rows.push_back(std::move(row));
    }
    tables.push_back(std::move(table));
  }
  return tables;
}

Measurement read_measurement(const JsonPlace& place) {
  return {place.at("id").string(), place.at("title").string(), place.string_or_empty("text"), read_tables(place),
          read_figures(place)};
}

}  // namespace attest::reports
