#include "simulations/commands/evidence_files.hpp"

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "kernels/parallel/blocks.hpp"
#include "reports/files/atomic_file.hpp"
#include "theorems/engine/context.hpp"
#include "theorems/engine/runner/record.hpp"

namespace attest::commands {
namespace {

namespace fs = std::filesystem;

/// One statement with an exact verdict.
struct Task {
  std::size_t claim;
  std::size_t part;  ///< counted from 1; 0 for a claim without parts
  const engine::StatementEvidence* evidence;
  engine::EvidenceDocument document = {};
};

std::string file_name(const std::string& id, std::size_t part) {
  const std::string name = engine::witness_file_name(id);
  return part == 0 ? name : name.substr(0, name.size() - 4) + std::to_string(part) + ".json";
}

}  // namespace

void write_evidence_files(const engine::SuiteRun& run, nlohmann::ordered_json& record, const fs::path& directory,
                          const std::atomic<bool>& interrupted) {
  std::vector<Task> tasks;
  for (std::size_t i = 0; i < run.results.size(); ++i) {
    const auto parts = engine::statement_parts(run.results[i].evidence);
    for (std::size_t p = 0; p < parts.size(); ++p)
      if (parts[p].evidence->document) tasks.push_back({i, parts[p].path.empty() ? 0 : p + 1, parts[p].evidence});
  }
  std::error_code ignored;
  fs::remove_all(directory / "certificates", ignored);
  fs::remove_all(directory / "witnesses", ignored);
  try {
    parallel::for_each_block(static_cast<std::int64_t>(tasks.size()), run.threads, [&](std::int64_t t) {
      Task& task = tasks[static_cast<std::size_t>(t)];
      task.document = task.evidence->document(&interrupted);
    });
  } catch (const engine::Interrupted&) {
    return;  // the verdicts are there; evidence is made again by another run
  }
  for (const Task& task : tasks) {
    auto& claim = record.at("claims").at(task.claim);
    if (task.document.text.empty()) {
      if (claim.at("evidence_file").is_null() && !claim.contains("no_evidence"))
        claim["no_evidence"] = task.document.why_not;
      continue;
    }
    const std::string file = (task.document.certificate ? "certificates/" : "witnesses/") +
                             file_name(run.results[task.claim].claim->statement.id, task.part);
    reports::write_file_atomically(directory / file, task.document.text);
    // Of a claim that falls, the file that shows it.
    const bool tells = !task.document.certificate || claim.at("verdict") != "refuted";
    if (tells && claim.at("evidence_file").is_null()) {
      claim["evidence_file"] = file;
      claim.erase("no_evidence");
      if (!claim.at("witness").is_null()) claim["witness"]["replay"] = "./attest replay " + file;
    }
  }
}

}  // namespace attest::commands
