// attest export: exact verdicts as theorems for proof assistants.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace attest::commands {

struct ExportOptions {
  std::vector<std::string> statements;  ///< as `statements_named` takes them
  bool coq = false, lean = false;
  std::string budget = "quick";
  std::uint64_t seed = 1;
  unsigned threads = 0;
  std::filesystem::path directory = "export";
};

/// Judges each statement and writes DIRECTORY/ID.v or ID.lean for every exact verdict, with a line for each on standard
/// output. Returns 0 where all were written, 4 where some verdict is not exact or a statement has no counterpart in
/// real scalars. Errors: std::invalid_argument where neither or both of --coq and --lean are given, and as
/// `statements_named`; reports::IoError.
int export_theorems(const ExportOptions& options);

}  // namespace attest::commands
