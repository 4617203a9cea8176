// A run's points as CSV and JSON.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "simulations/sweeping/journal.hpp"
#include "simulations/sweeping/point.hpp"
#include "simulations/sweeping/spec.hpp"

namespace attest::sweeps {

/// A finished point and what it gave.
struct Row {
  const Point* point;
  const quantities::Outcomes* outcomes;
};

/// The rows of the finished ones of `points`, in the sweep's order. Both arguments must outlive them.
std::vector<Row> rows_of(const std::vector<Point>& points, const Finished& finished);

/// points.csv: a header and one row per point. First every parameter in the quantity's order, then for each result
/// NAME, NAME_lower, NAME_upper, NAME_interval (references: NAME alone). The last is the class of laws for
/// which a sampled result's interval holds, with the probability that points.json states and after every number of
/// samples at once: "range", "variance", or "asymptotic" where nothing is known; "enclosure" for a computed one.
/// Numbers are the shortest that read back as the same double; what does not exist is an empty field. RFC 4180 with
/// line feeds.
std::string points_csv(const Spec& spec, const std::vector<Row>& rows);

/// points.json: everything that a report needs.
///
///     {"schema": "attest-sweep-2", "name", "title", "text", "version", "seed", "samples", "points_in_all",
///      "quantity": {"name", "title", "formula", "source", "version", "sample_unit", "intervals", "confidence",
///                   "parameters": [{"name", "meaning", "swept"}], "results": [{"name", "meaning", "role",
///                                "intervals": {CLASS: what it promises}}]},
///      "points": [{"parameters": {...}, "results": {NAME: [value, lower, upper]}}],
///      "fits": [{"figure", "series", "law", "terms": {NAME: [value, lower, upper]}, "points", "largest_residual"}],
///      "figures": [...]}
///
/// `seed` is text, as it need not fit a double; null stands for a number that is not finite. Figures have the form
/// that the reports read.
std::string points_json(const Spec& spec, const std::vector<Row>& rows, std::size_t points_in_all,
                        const std::string& version);

/// Writes both files into `directory`, each at once or not at all. Errors: reports::IoError.
void write_exports(const Spec& spec, const std::vector<Point>& points, const Finished& finished,
                   const std::filesystem::path& directory, const std::string& version);

}  // namespace attest::sweeps
