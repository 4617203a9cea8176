// The quantities of the papers' propositions on attention over real data.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "simulations/measure/measurement.hpp"
#include "simulations/measure/plan.hpp"
#include "simulations/measure/untrained/sequences.hpp"

namespace attest::measure {

/// How much is measured: quick is part of every check (seconds), standard and deep look at more units and longer
/// windows.
enum class MeasureSize { quick, standard, deep };

/// What to measure, and how.
struct MeasureOptions {
  std::string data;  ///< a data set's name or a file's path; empty for the defaults fashion-mnist and bible-kjv
  MeasureSize size = MeasureSize::quick;
  std::uint64_t seed = 1;
  unsigned threads = 0;            ///< 0 means one per core; the result has the same bits for any number
  std::filesystem::path data_dir;  ///< where data sets are looked for first; may be empty
  bool skip_missing = false;       ///< a missing data set becomes an entry that says so instead of an error
  /// Called with each entry of the result as it is there, and how many there will be at least.
  std::function<void(const nlohmann::json& entry, std::size_t total)> finished = {};
};

/// Every measurement of one population of sequences, in the order of the papers' propositions; `finished` is called
/// with each as it is there.
std::vector<Measurement> measure_sequences(const Sequences& sequences, const Plan& plan,
                                           const std::function<void(const Measurement&)>& finished = {});

/// The array `measurements` of results.json: one entry per measurement and data set (see to_json of Measurement).
/// A skipped data set gives {id: "skipped/<data>", title, text, skipped: reason, tables: [], figures: []}.
/// Errors: MissingData unless skip_missing; std::runtime_error for data that cannot be read; std::invalid_argument for
/// data too small to measure.
nlohmann::json measure(const MeasureOptions& options);

/// The entry of what was not measured, and why.
nlohmann::json skipped_measurement(const std::string& name, const std::string& reason);

/// The measurements as lines for a terminal: title, text, and the tables in columns.
std::string measure_lines(const nlohmann::json& measurements);

}  // namespace attest::measure
