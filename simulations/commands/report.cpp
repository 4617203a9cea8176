#include "simulations/commands/report.hpp"

#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/files/json_place.hpp"
#include "reports/pages/sweep_report.hpp"
#include "reports/pages/training_report.hpp"
#include "simulations/commands/outputs.hpp"
#include "simulations/commands/provenance.hpp"
#include "simulations/terminal/exit_codes.hpp"

namespace attest::commands {

int report(const std::filesystem::path& directory) {
  const auto holds = [&](const char* name) { return std::filesystem::exists(directory / name); };
  const auto say = [](const reports::WrittenReport& written) {
    for (const auto& remark : written.remarks) fmt::print(stderr, "attest: {}\n", remark);
    fmt::print("report: {}\n", written.page.string());
    return exit_as_recorded;
  };
  if (!holds("results.json") && holds(reports::sweep_file_name)) return say(reports::write_sweep_report(directory));
  if (!holds("results.json") && holds(reports::training_file_name))
    return say(reports::write_training_report(directory));
  if (!holds("results.json") && holds("run.db"))
    throw std::invalid_argument(fmt::format(
        "{} holds a training or sweep that is not finished: go on with it by --resume", directory.string()));
  fmt::print("report: {}\n", rebuild_outputs(directory).string());
  return exit_as_recorded;
}

int report_bibtex(const std::filesystem::path& directory) {
  const auto document = reports::parse_json_file(directory / "results.json");
  fmt::print("{}", bibtex(*document));
  return exit_as_recorded;
}

}  // namespace attest::commands
