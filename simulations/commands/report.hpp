// attest report: rebuilds the report from stored results.
#pragma once

#include <filesystem>

namespace attest::commands {

/// Rebuilds report, JUnit and CSV from `directory`/results.json, or where there is none the report of a sweep from
/// `directory`/points.json or of a training from `directory`/summary.json. Returns the exit code.
/// Errors: reports::IoError, reports::MalformedResults; std::invalid_argument for a run that is not finished.
int report(const std::filesystem::path& directory);

/// Prints `directory`/results.json as a BibTeX entry. Errors: reports::IoError, reports::MalformedResults;
/// std::invalid_argument for a record that does not say where it comes from.
int report_bibtex(const std::filesystem::path& directory);

}  // namespace attest::commands
