#include "simulations/commands/report.hpp"

#include <fmt/format.h>

#include "simulations/commands/exit_codes.hpp"
#include "simulations/commands/outputs.hpp"

namespace attest::commands {

int report(const std::filesystem::path& directory) {
  fmt::print("report: {}\n", rebuild_outputs(directory).string());
  return exit_as_recorded;
}

}  // namespace attest::commands
