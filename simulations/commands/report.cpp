// attest report: rebuilds the report from stored results.
#include <filesystem>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/figures/figure_style.hpp"
#include "reports/files/json_place.hpp"
#include "reports/pages/errata_pdf.hpp"
#include "reports/pages/sweep_report.hpp"
#include "reports/pages/training_report.hpp"
#include "simulations/command/figure_options.hpp"
#include "simulations/command/record/outputs.hpp"
#include "simulations/command/record/provenance.hpp"
#include "simulations/command/verb.hpp"
#include "simulations/terminal/end_on_interrupt.hpp"
#include "simulations/terminal/exit_codes.hpp"

namespace attest::commands::definitions {
namespace {

/// Rebuilds report, JUnit and CSV from `directory`/results.json, or where there is none the report of a sweep from
/// `directory`/points.json or of a training from `directory`/summary.json. Returns the exit code.
/// `errata`: also prints the errata of a check as PDF, or says why it cannot, with the code of a failed device.
/// Errors: reports::IoError, reports::MalformedResults; std::invalid_argument for what is not the folder of a run
/// and for a run that is not finished.
int report(const std::filesystem::path& directory, bool errata, const reports::FigureStyle& figures) {
  if (!std::filesystem::is_directory(directory))
    throw std::invalid_argument(fmt::format(
        "{} is not a folder: name the folder that a check, sweep or training wrote, such as out", directory.string()));
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
        "{} holds a training or sweep that is not finished: continue it with --resume", directory.string()));
  if (!holds("results.json"))
    throw std::invalid_argument(fmt::format(
        "{} holds no results.json of a check, points.json of a sweep or summary.json of a training: name the "
        "folder of a run, such as out",
        directory.string()));
  fmt::print("report: {}\n", rebuild_outputs(directory, figures).string());
  if (!errata) return terminal::exit_success;
  const reports::ErrataPdf pdf = reports::print_errata(directory, reports::browsers());
  if (pdf.file.empty()) {
    fmt::print(stderr, "attest: {}\n", pdf.remark);
    return terminal::exit_io_or_device;
  }
  fmt::print("errata: {}\n", pdf.file.string());
  return terminal::exit_success;
}

/// Prints `directory`/results.json as a BibTeX entry. Errors: reports::IoError, reports::MalformedResults;
/// std::invalid_argument for a record that does not say where it comes from.
int report_bibtex(const std::filesystem::path& directory) {
  const auto document = reports::parse_json_file(directory / "results.json");
  fmt::print("{}", bibtex(*document));
  return terminal::exit_success;
}

struct ReportOptions {
  std::filesystem::path directory = "out";
  bool errata = false, bibtex = false;
  FigureOptions figures;
};

void add_report(CLI::App& verb, Chosen& chosen) {
  auto& o = options_for<ReportOptions>(verb, chosen, [](const ReportOptions& given) {
    return given.bibtex ? report_bibtex(given.directory) : report(given.directory, given.errata, given.figures.style());
  });
  verb.add_option("folder", o.directory,
                  "a folder of a check (results.json), a sweep (points.json) or a training (summary.json)")
      ->capture_default_str();
  CLI::Option* errata = verb.add_flag("--errata", o.errata,
                                      "also print the errata of a check to errata.pdf, where Chromium is installed");
  add_figure_options(verb, o.figures);
  CLI::Option* bibtex =
      verb.add_flag("--bibtex", o.bibtex, "print an entry that cites the record of a check, and nothing else");
  bibtex->excludes(errata);
  for (const char* name : {"--figure-size", "--figure-font", "--line-width"}) bibtex->excludes(verb.get_option(name));
  verb.footer(
      "Exit codes: 0 written; 2 wrong usage or bad input; 3 a file failed, or --errata found no Chromium; 130 "
      "interrupted.");
}

}  // namespace

Verb report_verb() { return {"report", "rebuild the report from stored results", add_report}; }

}  // namespace attest::commands::definitions
