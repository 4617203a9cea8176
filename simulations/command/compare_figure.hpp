// The figure of a comparison: every pair's difference with its interval.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "kernels/statistics/interval.hpp"
#include "reports/figures/figure_style.hpp"

namespace attest::commands {

/// One row: "twicing − softmax".
struct ComparedPair {
  std::string name;
  double difference;
  statistics::Interval interval;  ///< infinite ends where there are too few pairs
};

/// Draws the pairs below each other, a line at 0 and, when it is not 0, lines at the smallest difference that matters,
/// into `stem`.svg, .pdf, .tex and .csv. Prints their names, or why some are missing.
/// Errors: std::invalid_argument when the stem's file name has other characters than letters, digits, '_' and '-';
/// reports::IoError.
void write_comparison_figure(const std::filesystem::path& stem, const std::vector<ComparedPair>& pairs,
                             const std::string& metric, double smallest, const reports::FigureStyle& style);

/// The stem of a figure that the user named, without the ending of one of its files if there is one: to be asked before
/// anything is computed. Errors: std::invalid_argument when it is a folder or has other characters than those above.
std::filesystem::path figure_stem(const std::filesystem::path& named);

}  // namespace attest::commands
