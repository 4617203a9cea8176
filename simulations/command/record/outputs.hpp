// Everything that a run leaves, written from one record.
#pragma once

#include <filesystem>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "reports/figures/figure_style.hpp"
#include "reports/record/results.hpp"

namespace attest::commands {

/// Where a run writes.
struct OutputPaths {
  std::filesystem::path directory = "out";  ///< results.json, junit.xml, claims.csv, report.html, figures/, witnesses/
  std::filesystem::path json = {};          ///< a second copy of results.json; empty for none
  std::filesystem::path junit = {};         ///< a second copy of junit.xml; empty for none
  std::filesystem::path sarif = {};         ///< what makes the exit code 1, for code hosts; empty for none
};

/// Makes the directories and shows that they can be written to, so that a run of minutes does not end in nothing.
/// So too of the single files. Errors: reports::IoError.
void prepare(const OutputPaths& paths);

/// Writes what cannot be made again: results.json and the witnesses. `rebuild_outputs` makes the rest of them.
/// Errors: reports::IoError.
void write_record(const nlohmann::ordered_json& document, const OutputPaths& paths);

/// Writes every output from `document`, each file atomically; remarks (no KaTeX, no gnuplot) go to standard error.
/// Errors: reports::IoError.
void write_outputs(const nlohmann::ordered_json& document, const OutputPaths& paths);

/// Rebuilds report, JUnit, CSV and the witnesses that are missing in a folder that holds results.json. Returns the
/// report's path. Errors: reports::IoError, reports::MalformedResults.
std::filesystem::path rebuild_outputs(const std::filesystem::path& directory, const reports::FigureStyle& figures = {});

/// The exit code that the record asks for: 130 interrupted, 1 when a verdict is not the recorded one, is `error`, or a
/// judged near-miss was not caught, a near-hit does not stand, or when there is no claim at all, else 0.
int exit_code_of(const reports::Results& results);

}  // namespace attest::commands
