// Results of runs that somebody else has made: a CSV file with one row for every variant and seed.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace attest::outcomes {

/// A table of runs, complete: every variant has every seed.
struct LossesTable {
  std::vector<std::string> variants;  ///< in the order of the file
  std::vector<std::string> seeds;     ///< rising: by value where all are whole numbers, else as text
  std::vector<std::string> metrics;   ///< the columns besides variant and seed, in the order of the file
  /// Values by metric and variant, in the order of `seeds`; all finite.
  std::map<std::string, std::map<std::string, std::vector<double>>> values;
};

/// Reads `content` of the file `source`: RFC 4180, line feeds or carriage returns and line feeds, a header with the
/// columns variant and seed and at least one metric. `wanted` are the metrics that are read; the other columns may hold
/// anything. All metrics where it is empty.
/// Errors: std::invalid_argument in one sentence with line and column and the fix, for what is not UTF-8, a missing,
/// repeated or unknown column, a row of another length, a value that is not a finite number, a repeated seed, a seed
/// that one variant lacks, and fewer than two variants.
LossesTable read_losses(std::string_view content, const std::string& source, const std::vector<std::string>& wanted);

/// Refuses a metric that is none of the table's, with the nearest. Errors: std::invalid_argument.
void require_metric(const std::vector<std::string>& metrics, const std::string& wanted, const std::string& source);

/// The names of the metric columns alone. Errors: as read_losses, of the header.
std::vector<std::string> metrics_of_losses(std::string_view content, const std::string& source);

}  // namespace attest::outcomes
