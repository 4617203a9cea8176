// attest list: what the suite judges.
#pragma once

#include "simulations/commands/statement_filter.hpp"

namespace attest::commands {

/// Prints the statements that fit, one on each line no wider than the terminal (label, verdict on record, finding, id,
/// title; an id is never cut), or as a JSON array. Returns the exit code. Errors: those of find_statements.
int list(const StatementFilter& filter, bool json);

}  // namespace attest::commands
