#include "simulations/commands/report.hpp"

#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/files/json_place.hpp"
#include "reports/pages/errata_pdf.hpp"
#include "reports/pages/sweep_report.hpp"
#include "reports/pages/training_report.hpp"
#include "simulations/commands/outputs.hpp"
#include "simulations/commands/provenance.hpp"
#include "simulations/terminal/end_on_interrupt.hpp"
#include "simulations/terminal/exit_codes.hpp"

namespace attest::commands {

int report(const std::filesystem::path& directory, bool errata, const reports::FigureStyle& figures) {
  if (!std::filesystem::is_directory(directory))
    throw std::invalid_argument(
        fmt::format("{} is not a directory: name the directory that a check, sweep or training wrote, such as out",
                    directory.string()));
  const terminal::EndOnInterrupt end_on_interrupt([&] {
    fmt::print(stderr, "attest: interrupted; every file in {} is the old one or the new one; run it again\n",
               directory.string());
  });
  const auto holds = [&](const char* name) { return std::filesystem::exists(directory / name); };
  const reports::ReportTools tools{.figures = figures};
  const auto say = [](const reports::WrittenReport& written) {
    for (const auto& remark : written.remarks) fmt::print(stderr, "attest: {}\n", remark);
    fmt::print("report: {}\n", written.page.string());
    return terminal::exit_success;
  };
  if (errata && !holds("results.json"))
    throw std::invalid_argument(fmt::format("--errata: {} holds no results.json of a check", directory.string()));
  if (!holds("results.json") && holds(reports::sweep_file_name))
    return say(reports::write_sweep_report(directory, tools));
  if (!holds("results.json") && holds(reports::training_file_name))
    return say(reports::write_training_report(directory, tools));
  if (!holds("results.json") && holds("run.db"))
    throw std::invalid_argument(fmt::format(
        "{} holds a training or sweep that is not finished: go on with it by --resume", directory.string()));
  if (!holds("results.json"))
    throw std::invalid_argument(fmt::format(
        "{} holds no results.json of a check, points.json of a sweep or summary.json of a training: name the "
        "directory of a run, such as out",
        directory.string()));
  fmt::print("report: {}\n", rebuild_outputs(directory, figures).string());
  if (!errata) return terminal::exit_success;
  const reports::ErrataPdf pdf = reports::print_errata(directory, reports::browsers());
  if (pdf.file.empty()) {
    fmt::print("{}\n", pdf.remark);
  } else {
    fmt::print("errata: {}\n", pdf.file.string());
  }
  return terminal::exit_success;
}

int report_bibtex(const std::filesystem::path& directory) {
  const auto document = reports::parse_json_file(directory / "results.json");
  fmt::print("{}", bibtex(*document));
  return terminal::exit_success;
}

}  // namespace attest::commands
