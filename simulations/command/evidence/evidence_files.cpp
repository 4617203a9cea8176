#include "simulations/command/evidence/evidence_files.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "kernels/parallel/blocks.hpp"
#include "kernels/random/stream.hpp"
#include "reports/files/atomic_file.hpp"
#include "simulations/command/evidence/evidence_programs.hpp"
#include "theorems/engine/context.hpp"
#include "theorems/engine/runner/record.hpp"
#include "theorems/evidence/evidence_file.hpp"
#include "theorems/evidence/implied_statements.hpp"
#include "theorems/language/read.hpp"
#include "theorems/referee/judge.hpp"

namespace attest::commands {
namespace {

namespace fs = std::filesystem;

using Write = std::function<engine::EvidenceDocument(const std::atomic<bool>*)>;

/// One statement with an exact verdict.
struct Task {
  std::size_t claim;
  std::size_t part;  ///< counted from 1; 0 for a claim without parts
  std::string path;  ///< the part's name; empty for a claim without parts
  Write write;
  bool replayed = true;  ///< `attest replay` takes the file; else it has a witness of the engine's beside it
  engine::EvidenceDocument document = {};
};

std::string file_name(const std::string& id, std::size_t part) {
  const std::string name = engine::witness_file_name(id);
  return part == 0 ? name : name.substr(0, name.size() - 4) + std::to_string(part) + ".json";
}

/// The refutation of what a refuted claim implies, which the referee finds here.
engine::EvidenceDocument of_implied(const engine::Statement& claim, const evidence::ImpliedStatement& implied,
                                    std::uint64_t seed, const std::atomic<bool>* interrupted) {
  const language::Statement statement = language::read_statement(std::string(implied.text));
  engine::Context context;
  context.seed = seed;
  context.key = random::stream_key(implied.text);
  context.threads = 1;
  context.interrupted = interrupted;
  const referee::Outcome outcome = referee::judge(statement, context, false);
  if (outcome.verdict != engine::Verdict::refuted)
    return {.text = {},
            .why_not = fmt::format("what it implies is {}: {}", engine::name(outcome.verdict), outcome.reason)};
  const evidence::Evidence made = evidence::evidence_for(statement, outcome,
                                                         {.id = claim.id,
                                                          .paper = claim.paper(),
                                                          .label = claim.label,
                                                          .title = claim.title,
                                                          .follows_since = std::string(implied.why)},
                                                         context);
  return {.text = made.document ? made.document->dump(1, ' ', true) + "\n" : "", .why_not = made.why_not};
}

constexpr const char* in_cpp = "its check is in C++, and it is not written in the language";

/// Of a claim, or of each part that lacks a file, the reason: "PART: REASON; PART: REASON".
std::string reasons_of(const nlohmann::ordered_json& claim, std::size_t number, const std::vector<Task>& tasks) {
  std::string reasons;
  const auto add = [&](const std::string& part, const std::string& why) {
    reasons += (reasons.empty() ? "" : "; ") + (part.empty() ? why : part + ": " + why);
  };
  std::vector<std::string> written;
  for (const Task& task : tasks) {
    if (task.claim != number) continue;
    written.push_back(task.path);
    if (task.document.text.empty()) add(task.path, task.document.why_not);
  }
  const auto parts = claim.at("evidence").find("parts");
  if (written.empty() || parts == claim.at("evidence").end()) return reasons;
  for (const auto& part : *parts) {
    const std::string name = part.value("name", "");
    if (std::ranges::none_of(written,
                             [&](const std::string& path) { return path == name || path.starts_with(name + " / "); }))
      add(name, in_cpp);
  }
  return reasons;
}

/// Sets `no_evidence`: of a claim that falls where no file shows it, of a certified one where a part has no file.
void say_what_lacks(nlohmann::ordered_json& claim, std::size_t number, const std::vector<Task>& tasks) {
  const bool certified = claim.at("verdict") == "certified", refuted = claim.at("verdict") == "refuted";
  const bool has_file = !claim.at("evidence_file").is_null();
  if (has_file && !certified) return;
  std::string reasons = reasons_of(claim, number, tasks);
  if (reasons.empty() && !has_file && (certified || refuted)) {
    const bool stochastic = !claim.at("witness").is_null() && claim.at("witness").at("kind") == "stochastic";
    reasons = stochastic ? "it rests on samples or measurements, which exact numbers cannot show" : in_cpp;
  }
  if (!reasons.empty()) claim["no_evidence"] = reasons;
}

}  // namespace

void write_evidence_files(const engine::SuiteRun& run, nlohmann::ordered_json& record, const fs::path& directory,
                          const std::atomic<bool>& interrupted) {
  std::vector<Task> tasks;
  for (std::size_t i = 0; i < run.results.size(); ++i) {
    const auto& result = run.results[i];
    const auto parts = engine::statement_parts(result.evidence);
    for (std::size_t p = 0; p < parts.size(); ++p)
      if (parts[p].evidence->document)
        tasks.push_back({i, parts[p].path.empty() ? 0 : p + 1, parts[p].path, parts[p].evidence->document});
    const evidence::ImpliedStatement* implied = evidence::implied_by(result.claim->statement.id);
    if (result.judgement.verdict == engine::Verdict::refuted && implied != nullptr)
      tasks.push_back({i, parts.size() + 1, "",
                       [&result, implied, seed = run.seed](const std::atomic<bool>* stop) {
                         return of_implied(result.claim->statement, *implied, seed, stop);
                       },
                       false});
  }
  std::error_code ignored;
  fs::remove_all(directory / "certificates", ignored);
  fs::remove_all(directory / "witnesses", ignored);
  try {
    parallel::for_each_block(static_cast<std::int64_t>(tasks.size()), run.threads, [&](std::int64_t t) {
      Task& task = tasks[static_cast<std::size_t>(t)];
      task.document = task.write(&interrupted);
    });
  } catch (const engine::Interrupted&) {
    return;  // the verdicts are there; evidence is made again by another run
  }
  if (!tasks.empty()) reports::write_file_atomically(directory / "check_evidence.py", std::string(evidence_checker()));
  for (const Task& task : tasks) {
    if (task.document.text.empty()) continue;
    auto& claim = record.at("claims").at(task.claim);
    const std::string file = (task.document.certificate ? "certificates/" : "witnesses/") +
                             file_name(run.results[task.claim].claim->statement.id, task.part);
    reports::write_file_atomically(directory / file, task.document.text);
    // Of a claim that falls, the file that shows it.
    const bool tells = !task.document.certificate || claim.at("verdict") != "refuted";
    if (tells && claim.at("evidence_file").is_null()) {
      claim["evidence_file"] = file;
      if (task.replayed && !claim.at("witness").is_null()) claim["witness"]["replay"] = "./attest replay " + file;
    }
  }
  for (std::size_t i = 0; i < run.results.size(); ++i) say_what_lacks(record.at("claims").at(i), i, tasks);
}

}  // namespace attest::commands
