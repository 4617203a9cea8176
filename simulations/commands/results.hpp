// attest results: the results that ship, checked, and the page that shows them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace attest::commands {

struct ResultsOptions {
  std::filesystem::path folder = "simulations/results";
  std::filesystem::path add;  ///< a directory of attest train whose summary is added; empty: none
  std::string name;           ///< of the result that is added; empty: the experiment's
  bool check = false;         ///< write nothing; exit 1 where the page is not that of the files
};

/// Reads every result of the folder, adds one where asked, writes README.md beside them and prints a line for each.
/// Errors: those of outcomes::read_shipped_folder and shipped_from_summary; std::invalid_argument for a folder that is
/// not there.
int results(const ResultsOptions& options);

/// A result that was shipped with this program: its name and its file's text.
struct ShippedText {
  const char* name;
  const char* text;
};
const std::vector<ShippedText>& shipped_texts();

}  // namespace attest::commands
