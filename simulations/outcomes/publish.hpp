// What a finished training leaves for people and programs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "simulations/experiment/experiment.hpp"
#include "simulations/journal/run_record.hpp"

namespace attest::outcomes {

using experiment::Experiment;

/// The summary with what the report shows beside it: schema, data, power, the paper's numbers and the claims that
/// comparisons bear on, what each could have detected at the spread that was seen, values by seed, how each variant's
/// layers attend, and figures.
nlohmann::ordered_json illustrated(const Experiment& experiment, const nlohmann::ordered_json& summary,
                                   const std::vector<journal::RunMeasurement>& curves);

/// One row per run: variant, seed and every metric of the summary. Numbers keep all their digits.
std::string runs_csv(const nlohmann::ordered_json& summary);

/// One row per recorded measurement: variant, seed, step, metric, value.
std::string curves_csv(const std::vector<journal::RunMeasurement>& curves);

/// Writes DIR/summary.json (illustrated), runs.csv, curves.csv, report.html and figures/. Returns the page and a
/// sentence for each thing left out of it. Errors: reports::IoError.
struct Published {
  std::filesystem::path page;
  std::vector<std::string> remarks;
};
Published publish(const std::filesystem::path& directory, const Experiment& experiment,
                  const nlohmann::ordered_json& summary, const std::vector<journal::RunMeasurement>& curves);

}  // namespace attest::outcomes
