#include "reports/record/replay_command.hpp"

#include <algorithm>

namespace attest::reports {

std::optional<ReplayCommand> read_replay_command(const std::string& command) {
  const std::string verb = " replay ";
  const std::size_t at = command.find(verb);
  if (at == std::string::npos) return std::nullopt;
  const std::size_t begin = at + verb.size(), end = std::min(command.find(' ', begin), command.size());
  return ReplayCommand{command.substr(0, begin), command.substr(begin, end - begin), command.substr(end)};
}

}  // namespace attest::reports
