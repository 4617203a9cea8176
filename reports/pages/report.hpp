// The report: everything a run leaves for people to read.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "reports/figures/figure_style.hpp"
#include "reports/record/results.hpp"

namespace attest::reports {

/// Where the tools of the report are looked for; the defaults are right outside of tests.
struct ReportTools {
  std::string gnuplot = "gnuplot";
  std::vector<std::filesystem::path> katex_directories = {};  ///< empty: html::katex_directories()
  FigureStyle figures = {};
};

/// What was written, and one sentence for each thing that had to be left out (no KaTeX, no gnuplot).
struct WrittenReport {
  std::filesystem::path page;
  std::vector<std::string> remarks;
};

/// Makes the replay commands of `results` name the witness files below `directory` as they are reached from here; a
/// command whose file is not there goes.
void locate_witnesses(Results& results, const std::filesystem::path& directory);

/// Writes `directory`/report.html, beside it report-errata.html, report-paper-PAPER.html for each paper and, where
/// something was measured, report-real-input.html, each self-contained, and `directory`/figures/NAME.{svg,pdf,tex,csv}.
/// Removes the other pages report-*.html, which an earlier run left. Replay commands name files that exist when this is
/// called. Errors: IoError when the folder or a file in it cannot be written.
WrittenReport write_report(const Results& results, const std::filesystem::path& directory,
                           const ReportTools& tools = {});

/// The same for a document that holds measurements alone, such as a sweep: the page shows them and nothing of verdicts.
/// `source` is the file in `directory` that it was made from. Errors: as write_report.
WrittenReport write_measurements(const Results& results, const std::filesystem::path& directory,
                                 const std::string& source, const ReportTools& tools = {});

}  // namespace attest::reports
