// attest check: judges statements and writes what was found.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simulations/commands/outputs.hpp"
#include "theorems/engine/registry.hpp"

namespace attest::commands {

/// The options of `attest check` and of the executables check_<family>.
struct CheckOptions {
  /// A pattern that names a file PAPER.attest brings its claims in and selects them.
  engine::Selection selection;
  std::vector<std::string>
      plugins;           ///< libraries of checks (theorems/engine/plugin.hpp), selected where nothing else is
  std::string theorems;  ///< where the ledger's texts are read from; empty for those of the build
  std::string budget = "standard";
  std::uint64_t seed = 1;
  unsigned threads = 0;  ///< 0: one per core
  std::string device = "cpu";
  std::string data_dir;  ///< where data sets are looked for first
  OutputPaths paths;
  std::vector<std::string> trainings;  ///< summaries of trainings, which may decide what awaits one
  bool mutants = false;                ///< judge the near-misses too; done anyway when the whole suite is judged
  bool no_mutants = false;             ///< never judge them
  std::string since;                   ///< an earlier record to compare with: results.json or its directory
  bool no_measure = false;             ///< leave out the quantities on real input

  /// The main job: every statement, with near-misses and the quantities on real input.
  bool whole_suite() const { return selection.patterns.empty() && selection.paper.empty() && selection.family.empty(); }
};

/// Judges, writes every output, prints the table and returns the exit code that the record asks for; with `since` also
/// what changed among the judged statements, and 1 where it is for the worse. Patterns may be the words of labels.
/// Errors: std::invalid_argument (selection, budget, device, a file in a folder that is not there), DeviceError,
/// reports::IoError, reports::MalformedResults (`since`).
int check(const CheckOptions& options);

}  // namespace attest::commands
