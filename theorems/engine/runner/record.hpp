// The record of a run as JSON: the one source of console, report, JUnit and exit code.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "theorems/engine/runner/runner.hpp"

namespace attest::engine {

/// The schema's name and version, in the key `schema` of results.json.
inline constexpr const char* results_schema = "attest-results-1";

/// results.json of a run: {schema, suite, claims}. `version` is the program's.
nlohmann::ordered_json to_json(const SuiteRun& run, const std::string& version);

/// One claim without results: the fields of its statement.
nlohmann::ordered_json statement_to_json(const Claim& claim);

/// One evidence, with the keys of results.json that apply to its protocol.
nlohmann::ordered_json evidence_to_json(const Evidence& evidence);

/// File name of a witness without directory: the id with '/' turned into '-', and ".json".
std::string witness_file_name(const std::string& claim_id);

}  // namespace attest::engine
