// One statement of the user's own, read and judged.
#pragma once

#include <string>

#include "theorems/referee/judge.hpp"

namespace attest::commands {

/// Reads and judges `text`. Errors: std::invalid_argument naming `file` (where given), line and column.
referee::Outcome judge_text(const std::string& text, const referee::JudgeOptions& options, const std::string& file);

/// The exit code that the outcome asks for: 0 where the statement stands, 1 where it is refuted, else 4.
int exit_of(const referee::Outcome& outcome);

}  // namespace attest::commands
