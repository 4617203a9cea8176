// Evidence files with one point, as witnesses that `attest replay` evaluates.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "theorems/engine/claim.hpp"
#include "theorems/engine/witness.hpp"

namespace attest::commands {

/// Whether the document says that it is an evidence file (evidence-format.md).
bool is_evidence(const nlohmann::ordered_json& document);

/// The inputs of the evidence's point, under the claim that it names. Errors: std::invalid_argument naming `file` and
/// the key, also where the evidence is not a point.
engine::Witness witness_of_evidence(const nlohmann::ordered_json& document, const std::string& file);

/// The check of the statement that the document itself holds: for ids that no claim of the suite has. Errors:
/// std::invalid_argument naming `file`.
engine::Check check_of_evidence(const nlohmann::ordered_json& document, const std::string& file);

}  // namespace attest::commands
