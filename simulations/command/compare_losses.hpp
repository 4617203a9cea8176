// Paired results, compared by the sequential referee.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "simulations/command/figure_options.hpp"

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
  std::filesystem::path example;  ///< write a file of invented losses here, then exit
};

/// Prints the verdict of every pair of variants in the CSV file `inputs.front()`, and writes them as JSON and as a
/// figure where asked for. Returns the exit code. Errors: std::invalid_argument for a file, metric, direction, baseline
/// or range that does not fit; reports::IoError.
int compare_losses(const CompareOptions& options);

}  // namespace attest::commands
