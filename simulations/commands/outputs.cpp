#include "simulations/commands/outputs.hpp"

#include <cstdio>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/files/atomic_file.hpp"
#include "reports/pages/report.hpp"
#include "reports/record/csv.hpp"
#include "reports/record/junit.hpp"
#include "reports/record/totals.hpp"
#include "simulations/terminal/exit_codes.hpp"

namespace attest::commands {
namespace {

namespace fs = std::filesystem;

constexpr const char* results_name = "results.json";

/// Those that are not evidence files already, which `write_evidence_files` wrote.
void write_witnesses(const nlohmann::ordered_json& document, const fs::path& directory) {
  for (const auto& claim : document.at("claims")) {
    const auto& witness = claim.at("witness");
    if (witness.is_null() || !claim.at("evidence_file").is_null()) continue;
    const fs::path file = fs::path(witness.at("replay").get<std::string>()).filename();
    reports::write_file_atomically(directory / file, witness.dump(1) + "\n");
  }
}

fs::path write_views(const reports::Results& results, const OutputPaths& paths) {
  const std::string junit = reports::junit_xml(results);
  reports::write_file_atomically(paths.directory / "junit.xml", junit);
  if (!paths.junit.empty()) reports::write_file_atomically(paths.junit, junit);
  reports::write_file_atomically(paths.directory / "claims.csv", reports::claims_csv(results));
  const reports::WrittenReport report = reports::write_report(results, paths.directory);
  for (const auto& remark : report.remarks) fmt::print(stderr, "attest: {}\n", remark);
  return report.page;
}

}  // namespace

void prepare(const OutputPaths& paths) {
  const fs::path probe = paths.directory / ".attest-can-write";
  reports::write_file_atomically(probe, "");
  std::error_code ignored;
  fs::remove(probe, ignored);
}

void write_record(const nlohmann::ordered_json& document, const OutputPaths& paths) {
  const std::string text = document.dump(1) + "\n";
  reports::write_file_atomically(paths.directory / results_name, text);
  if (!paths.json.empty()) reports::write_file_atomically(paths.json, text);
  write_witnesses(document, paths.directory / "witnesses");
}

void write_outputs(const nlohmann::ordered_json& document, const OutputPaths& paths) {
  write_record(document, paths);
  write_views(reports::results_from_json(document, results_name), paths);
}

fs::path rebuild_outputs(const fs::path& directory) {
  return write_views(reports::load_results(directory / results_name), {directory, {}, {}});
}

int exit_code_of(const reports::Results& results) {
  if (results.suite.interrupted) return exit_interrupted;
  const reports::Totals totals = reports::totals(results);
  const bool in_order = !results.claims.empty() && totals.unexpected.empty() && totals.missed.empty() &&
                        totals.overshot.empty() && totals.count(reports::Verdict::error) == 0;
  return in_order ? exit_as_recorded : exit_unexpected;
}

}  // namespace attest::commands
