#include "simulations/commands/report.hpp"

#include <fmt/format.h>

#include "reports/sweep_report.hpp"
#include "simulations/commands/exit_codes.hpp"
#include "simulations/commands/outputs.hpp"

namespace attest::commands {

int report(const std::filesystem::path& directory) {
  if (!std::filesystem::exists(directory / "results.json") &&
      std::filesystem::exists(directory / reports::sweep_file_name)) {
    const reports::WrittenReport written = reports::write_sweep_report(directory);
    for (const auto& remark : written.remarks) fmt::print(stderr, "attest: {}\n", remark);
    fmt::print("report: {}\n", written.page.string());
    return exit_as_recorded;
  }
  fmt::print("report: {}\n", rebuild_outputs(directory).string());
  return exit_as_recorded;
}

}  // namespace attest::commands
