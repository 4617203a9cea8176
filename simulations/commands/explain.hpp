// attest explain: one statement in full.
#pragma once

#include <filesystem>
#include <string>

namespace attest::commands {

/// Prints the statement with the evidence of the run stored in `out`, or judged now when that run does not hold it.
/// Returns the exit code. Errors: std::invalid_argument for an unknown id; reports::MalformedResults.
int explain(const std::string& id, const std::filesystem::path& out);

}  // namespace attest::commands
