#include "simulations/commands/export.hpp"

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include <fmt/format.h>

#include "reports/files/atomic_file.hpp"
#include "simulations/commands/judging_options.hpp"
#include "simulations/commands/statement_source.hpp"
#include "simulations/commands/try.hpp"
#include "simulations/terminal/exit_codes.hpp"
#include "theorems/evidence/coq_export.hpp"
#include "theorems/evidence/scalar_terms.hpp"
#include "theorems/language/problem.hpp"

namespace attest::commands {

int export_theorems(const ExportOptions& options) {
  if (options.coq == options.lean)
    throw std::invalid_argument("attest export writes for one prover: give --coq or --lean");
  const referee::JudgeOptions judging = judging_options(options.budget, options.seed, options.threads, false);
  std::vector<NamedStatement> all;
  for (const std::string& argument : options.statements)
    for (NamedStatement& each : statements_named(argument)) all.push_back(std::move(each));
  int code = terminal::exit_success;
  try {
    for (const NamedStatement& each : all) {
      try {
        const referee::Outcome outcome = referee::judge(each.statement, judging);
        const evidence::ProverFile file = options.coq ? evidence::coq_file(each.statement, outcome, each.heading)
                                                      : evidence::lean_file(each.statement, outcome, each.heading);
        // A file's name is a module's name: letters, digits and '_'.
        std::string name = each.heading.id;
        std::replace_if(
            name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
        const std::filesystem::path path = options.directory / (name + (options.coq ? ".v" : ".lean"));
        reports::write_file_atomically(path, file.text);
        fmt::print("{}: {} {}{}\n", path.string(), file.theorems, file.theorems == 1 ? "theorem" : "theorems",
                   file.left_out.empty() ? "" : fmt::format(", {} choices of sizes left out", file.left_out.size()));
      } catch (const evidence::NotWritten& why) {
        fmt::print("{}: not exported: {}\n", each.heading.id, why.what());
        code = exit_undecided;
      } catch (const language::Problem& problem) {
        throw std::invalid_argument(fmt::format("{}: {}", each.heading.id, problem.what()));
      }
    }
  } catch (const engine::Interrupted&) {
    fmt::print(stderr, "attest: interrupted\n");
    return terminal::exit_interrupted;
  }
  return code;
}

}  // namespace attest::commands
