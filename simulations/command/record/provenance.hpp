// Where a record comes from, so that others can cite and check it.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace attest::commands {

/// Adds `suite.commit` (of the sources when the program was built; "-dirty" where they were changed, "unknown" outside
/// of git), `suite.compiler` and `suite.processor` (as the system names it).
void add_provenance(nlohmann::ordered_json& document);

/// SHA-256 of the canonical JSON (keys sorted, no blanks, ASCII) of the document without `suite.digest`.
std::string record_digest(nlohmann::ordered_json document);

/// The record as a BibTeX entry. Errors: std::invalid_argument for a document without `suite.version`.
std::string bibtex(const nlohmann::ordered_json& document);

}  // namespace attest::commands
