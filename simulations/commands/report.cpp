#include "simulations/commands/report.hpp"

#include <filesystem>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "simulations/commands/exit_codes.hpp"
#include "simulations/commands/outputs.hpp"

namespace attest::commands {

void add_report(CLI::App& app, int& exit_code) {
  const auto directory = std::make_shared<std::filesystem::path>("out");
  app.add_option("directory", *directory, "a directory with results.json in it")->capture_default_str();
  app.callback([directory, &exit_code] {
    fmt::print("report: {}\n", rebuild_outputs(*directory).string());
    exit_code = exit_as_recorded;
  });
}

}  // namespace attest::commands
