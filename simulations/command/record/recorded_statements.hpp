// Statements that stand in a record alone: those of a paper of the user's own, or of a plug-in.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "theorems/engine/claim.hpp"

namespace attest::commands {

/// The statements of `record` (results.json, checked by reports::results_from_json) whose ids none of `known` has,
/// without checks: enough to find and to show them. Words that this version does not know are left at their defaults.
engine::Claims recorded_statements(const nlohmann::ordered_json& record, const engine::Claims& known);

}  // namespace attest::commands
