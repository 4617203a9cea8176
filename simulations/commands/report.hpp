// attest report: rebuilds the report from stored results.
#pragma once

#include <filesystem>

#include "reports/figures/figure_style.hpp"

namespace attest::commands {

/// Rebuilds report, JUnit and CSV from `directory`/results.json, or where there is none the report of a sweep from
/// `directory`/points.json or of a training from `directory`/summary.json. Returns the exit code.
/// `errata`: also prints the errata of a check as PDF, or says why it cannot.
/// Errors: reports::IoError, reports::MalformedResults; std::invalid_argument for what is not the directory of a run
/// and for a run that is not finished.
int report(const std::filesystem::path& directory, bool errata, const reports::FigureStyle& figures);

/// Prints `directory`/results.json as a BibTeX entry. Errors: reports::IoError, reports::MalformedResults;
/// std::invalid_argument for a record that does not say where it comes from.
int report_bibtex(const std::filesystem::path& directory);

}  // namespace attest::commands
