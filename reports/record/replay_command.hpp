// The command in a record that evaluates a witness again.
#pragma once

#include <optional>
#include <string>

namespace attest::reports {

/// "./attest replay witnesses/ID.json 'my paper.attest'" in its parts.
struct ReplayCommand {
  std::string program;  ///< "./attest replay "
  std::string file;     ///< "witnesses/ID.json", or in certificates/; names in records have no blanks
  std::string paper;    ///< " 'my paper.attest'" of a claim of the user's own, or empty
};

/// Nothing for any other text.
std::optional<ReplayCommand> read_replay_command(const std::string& command);

}  // namespace attest::reports
