// attest try: one statement of the user's own.
#pragma once

#include <cstdint>
#include <string>

#include "theorems/referee/judge.hpp"

namespace attest::commands {

struct TryOptions {
  std::string statement;  ///< the statement, a file that holds it, or "-" for standard input
  std::string budget = "standard";
  std::uint64_t seed = 1;
  unsigned threads = 0;
  bool to_json = false;   ///< machine-readable
  std::string json_file;  ///< where to, instead of standard output
};

inline constexpr int exit_undecided = 4;  ///< of `try`: neither stands nor refuted

/// Judges the statement and prints reading, domain, verdict and evidence. Returns 0 where it stands, 1 where it is
/// refuted, 4 where it is undecided (or vacuous), 130 where it was interrupted. Errors: std::invalid_argument for a
/// statement that cannot be read or meant, in one sentence with file, line and column; reports::IoError.
int try_statement(const TryOptions& options);

/// Reads and judges `text`. Errors: std::invalid_argument naming `file` (where given), line and column.
referee::Outcome judge_text(const std::string& text, const referee::JudgeOptions& options, const std::string& file);

/// 0, 1 or 4.
int exit_of(const referee::Outcome& outcome);

}  // namespace attest::commands
