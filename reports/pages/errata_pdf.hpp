// The errata as a PDF file, printed by a browser where there is one.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace attest::reports {

/// The browsers that can print: the variable ATTEST_CHROMIUM when it is set, else Chromium's and Chrome's usual names.
std::vector<std::string> browsers();

/// What came of it: the file, or the sentence that says why there is none.
struct ErrataPdf {
  std::filesystem::path file;  ///< empty: none was written
  std::string remark;
};

/// Prints `directory`/report-errata.html, which `write_report` made, to `directory`/errata.pdf by the first of
/// `browsers` that is installed, within two minutes. Errors: IoError when no temporary file or folder can be made, or
/// the PDF cannot be written.
ErrataPdf print_errata(const std::filesystem::path& directory, const std::vector<std::string>& browsers);

}  // namespace attest::reports
