// The evidence of exact verdicts as files that check_evidence.py checks again.
#pragma once

#include <atomic>
#include <filesystem>

#include <nlohmann/json_fwd.hpp>

#include "theorems/engine/runner/runner.hpp"

namespace attest::commands {

/// Writes DIRECTORY/certificates/ID.json and DIRECTORY/witnesses/ID.json for the statements of the language in `run`
/// (of a claim of several parts ID.2.json for its second), and sets in `record`, which is the run's, `evidence_file` to
/// the first of them, and `no_evidence` to the reason why there is none: of every certified or refuted claim without
/// one, and of a certified claim of several parts ("PART: REASON; ...") of which some lack one. A refuted claim judged
/// in C++ has the refutation of what it implies (theorems/evidence/implied_statements.hpp). DIRECTORY also gets the
/// checker as one file. Files of an earlier run are removed. An interrupt ends the writing. Errors: reports::IoError.
void write_evidence_files(const engine::SuiteRun& run, nlohmann::ordered_json& record,
                          const std::filesystem::path& directory, const std::atomic<bool>& interrupted);

}  // namespace attest::commands
