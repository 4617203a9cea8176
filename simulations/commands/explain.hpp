// attest explain: statements in full.
#pragma once

#include <filesystem>

#include "simulations/commands/statement_filter.hpp"

namespace attest::commands {

/// How statements are explained.
enum class ExplainAs { text, json, tex };

/// Prints every statement that fits, with the evidence of the run stored in `out` where that holds it, else as it
/// stands in the source with the verdict on record. `json`: an array of what the run recorded, or of the statement
/// alone; `tex`: a fragment for \input. Returns the exit code. Errors: those of find_statements; std::invalid_argument
/// when nothing fits; reports::MalformedResults.
int explain(const StatementFilter& filter, const std::filesystem::path& out, ExplainAs how);

}  // namespace attest::commands
