#include "simulations/command/record/outputs.hpp"

#include <cstdio>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/files/atomic_file.hpp"
#include "reports/files/json_place.hpp"
#include "reports/pages/report.hpp"
#include "reports/record/badge.hpp"
#include "reports/record/csv.hpp"
#include "reports/record/junit.hpp"
#include "reports/record/replay_command.hpp"
#include "reports/record/sarif.hpp"
#include "reports/record/totals.hpp"
#include "simulations/command/record/provenance.hpp"
#include "simulations/terminal/build_facts.hpp"
#include "simulations/terminal/exit_codes.hpp"

namespace attest::commands {
namespace {

namespace fs = std::filesystem;

constexpr const char* results_name = "results.json";

/// The name of the file in witnesses/ that the witness is replayed from; empty when the record names none, or a
/// certificate, which no record can make again.
fs::path witness_file(const nlohmann::ordered_json& claim) {
  const auto witness = claim.find("witness");
  if (witness == claim.end() || !witness->is_object()) return {};
  const auto replay = witness->find("replay");
  if (replay == witness->end() || !replay->is_string()) return {};
  const auto command = reports::read_replay_command(replay->get<std::string>());
  if (!command) return {};
  const fs::path file = fs::path(command->file).filename();
  return file.extension() == ".json" && command->file != "certificates/" + file.string() ? file : fs::path();
}

/// Writes the witnesses that are not there yet: `write_evidence_files` has removed those of an earlier run.
void write_witnesses(const nlohmann::ordered_json& document, const fs::path& directory) {
  for (const auto& claim : document.at("claims")) {
    const fs::path file = witness_file(claim);
    if (!file.empty() && !fs::exists(directory / file))
      reports::write_file_atomically(directory / file, claim.at("witness").dump(1) + "\n");
  }
}

fs::path write_views(const reports::Results& results, const OutputPaths& paths,
                     const reports::FigureStyle& figures = {}) {
  const std::string junit = reports::junit_xml(results);
  reports::write_file_atomically(paths.directory / "junit.xml", junit);
  if (!paths.junit.empty()) reports::write_file_atomically(paths.junit, junit);
  if (!paths.sarif.empty())
    reports::write_file_atomically(paths.sarif,
                                   reports::sarif("attest check", terminal::version, reports::findings_of(results)));
  reports::write_file_atomically(paths.directory / "claims.csv", reports::claims_csv(results));
  reports::write_file_atomically(paths.directory / "badge.svg", reports::badge_svg(results));
  const reports::WrittenReport report = reports::write_report(results, paths.directory, {.figures = figures});
  for (const auto& remark : report.remarks) fmt::print(stderr, "attest: {}\n", remark);
  return report.page;
}

}  // namespace

void prepare(const OutputPaths& paths) {
  const fs::path probe = paths.directory / ".attest-can-write";
  try {
    reports::require_writable(probe);
  } catch (const reports::IoError& failure) {
    // The reader asked for the folder, not for our probe.
    std::string sentence = failure.what();
    if (const auto at = sentence.find(probe.string()); at != std::string::npos)
      sentence.replace(at, probe.string().size(), paths.directory.string());
    throw reports::IoError(sentence);
  }
  for (const fs::path& file : {paths.json, paths.junit, paths.sarif})
    if (!file.empty()) reports::require_writable(file);
}

void write_record(const nlohmann::ordered_json& document, const OutputPaths& paths) {
  nlohmann::ordered_json sealed = document;
  sealed["suite"]["digest"] = record_digest(document);
  const std::string text = sealed.dump(1) + "\n";
  reports::write_file_atomically(paths.directory / results_name, text);
  if (!paths.json.empty()) reports::write_file_atomically(paths.json, text);
  write_witnesses(document, paths.directory / "witnesses");
}

void write_outputs(const nlohmann::ordered_json& document, const OutputPaths& paths) {
  write_record(document, paths);
  write_views(reports::results_from_json(document, results_name), paths);
}

fs::path rebuild_outputs(const fs::path& directory, const reports::FigureStyle& figures) {
  const auto document = reports::parse_json_file(directory / results_name);
  const reports::Results results = reports::results_from_json(*document, (directory / results_name).string());
  write_witnesses(*document, directory / "witnesses");
  return write_views(results, {.directory = directory}, figures);
}

int exit_code_of(const reports::Results& results) {
  if (results.suite.interrupted) return terminal::exit_interrupted;
  const reports::Totals totals = reports::totals(results);
  const bool in_order = !results.claims.empty() && totals.unexpected.empty() && totals.missed.empty() &&
                        totals.overshot.empty() && totals.count(reports::Verdict::error) == 0;
  return in_order ? terminal::exit_success : terminal::exit_difference;
}

}  // namespace attest::commands
