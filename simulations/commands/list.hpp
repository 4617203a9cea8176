// attest list: what the suite judges.
#pragma once

namespace attest::commands {

/// Prints every statement, as a table or as a JSON array. Returns the exit code.
int list(bool json);

}  // namespace attest::commands
