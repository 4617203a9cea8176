// Measurements, tables and lists of figures from JSON.
#pragma once

#include <vector>

#include "reports/files/json_place.hpp"
#include "reports/record/results.hpp"

namespace attest::reports {

/// The member `figures` of an object; none when it is absent. Errors: MalformedResults.
std::vector<Figure> read_figures(const JsonPlace& place);

/// The member `tables`: [{caption, columns, rows}]; none when it is absent. Errors: MalformedResults, also for a row
/// that does not have as many cells as there are columns.
std::vector<Table> read_tables(const JsonPlace& place);

/// {id, title, text, tables, figures}, of which the last three may be absent; a null cell is an empty one. Pictures are
/// not in the document. Errors: MalformedResults.
Measurement read_measurement(const JsonPlace& place);

}  // namespace attest::reports
