// The report of a training: variants, their differences, curves, and what was evaluated on the trained models.
#pragma once

#include <filesystem>

#include "reports/pages/report.hpp"

namespace attest::reports {

/// The name of the file that a training's report is made of.
inline constexpr const char* training_file_name = "summary.json";

/// The folder beside it with what was measured on the trained models, one file per model: {measurements: [...]}.
inline constexpr const char* measured_folder_name = "measured";

/// Reads `directory`/summary.json and writes `directory`/report.html, one self-contained page, and
/// `directory`/figures/NAME.{svg,pdf,tex,csv}. Beside the members that every summary has (experiment, metric, variants,
/// comparisons) it shows seconds, title, data, power, paper, tables and figures where they are, the pictures of
/// `directory`/maps (training_maps.hpp), and after them the measurements of `directory`/measured/*.json. Of a table of
/// skills (attest-skills-1) it shows text, tables and figures. Errors: IoError for a file that cannot be
/// written; MalformedResults for one that cannot be read or is not a training's summary.
WrittenReport write_training_report(const std::filesystem::path& directory, const ReportTools& tools = {});

}  // namespace attest::reports
