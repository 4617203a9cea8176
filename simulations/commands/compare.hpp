// attest compare: paired results by the sequential referee, or two records of attest check.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "simulations/commands/figure_options.hpp"

namespace attest::commands {

/// What `attest compare` was asked for.
struct CompareOptions {
  std::vector<std::filesystem::path> inputs;  ///< one CSV file, or two records
  std::string metric;                         ///< the primary one; empty: the only one
  std::string better;                         ///< lower, higher, or empty: by the metric's name
  std::vector<std::string> also;              ///< NAME or NAME:lower or NAME:higher
  std::string baseline;                       ///< only comparisons with this variant; empty: every pair
  std::string range;                          ///< LOWER,UPPER of the primary metric; empty: not known
  double smallest = 0;
  double level = 0.01;
  std::filesystem::path json;
  std::filesystem::path figure;  ///< file name without ending; empty for none
  FigureOptions figures;
  std::filesystem::path example;  ///< write a file of invented losses here, and end
};

/// Prints the verdict of every pair of variants, or what changed between two records, and writes both as JSON where
/// asked for. Returns the exit code: 0, and for records 1 when a verdict changed for the worse.
/// Errors: std::invalid_argument, reports::IoError, reports::MalformedResults.
int compare(const CompareOptions& options);

}  // namespace attest::commands
