// The report of a sweep.
#pragma once

#include <filesystem>

#include "reports/pages/report.hpp"

namespace attest::reports {

/// The name of the file that a sweep's report is made of.
inline constexpr const char* sweep_file_name = "points.json";

/// Reads `directory`/points.json and writes `directory`/report.html, one self-contained page with the sweep's figures,
/// its fitted laws and what its parameters and results mean, and `directory`/figures/NAME.{svg,pdf,tex,csv}.
/// Errors: IoError for a file that cannot be written; MalformedResults for one that cannot be read or is not a sweep's.
WrittenReport write_sweep_report(const std::filesystem::path& directory, const ReportTools& tools = {});

}  // namespace attest::reports
