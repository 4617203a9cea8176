// attest export: exact verdicts as theorems for proof assistants.
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "reports/files/atomic_file.hpp"
#include "reports/text/numbers.hpp"
#include "simulations/command/common_options.hpp"
#include "simulations/command/statements/judging_options.hpp"
#include "simulations/command/statements/statement_source.hpp"
#include "simulations/command/verb.hpp"
#include "simulations/terminal/exit_codes.hpp"
#include "theorems/evidence/coq_export.hpp"
#include "theorems/evidence/scalar_terms.hpp"
#include "theorems/language/problem.hpp"

namespace attest::commands::definitions {
namespace {

struct ExportOptions {
  std::vector<std::string> statements;  ///< as `statements_named` takes them
  bool coq = false, lean = false;
  std::string budget = "quick";
  std::uint64_t seed = 1;
  unsigned threads = 0;
  std::filesystem::path directory = "export";
};

/// Judges each statement and writes DIRECTORY/ID.v or ID.lean for every exact verdict, with a line for each on standard
/// output. Returns 0 where all were written, 4 where some verdict is not exact or a statement has no counterpart in
/// real scalars. Errors: std::invalid_argument where neither or both of --coq and --lean are given, and as
/// `statements_named`; reports::IoError.
int export_theorems(const ExportOptions& options) {
  if (options.coq == options.lean)
    throw std::invalid_argument("attest export writes for one prover: give --coq or --lean");
  const referee::JudgeOptions judging = judging_options(options.budget, options.seed, options.threads, false);
  const std::vector<NamedStatement> all = statements_named(options.statements);
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
        fmt::print("{}: {}{}\n", path.string(), reports::counted(static_cast<std::int64_t>(file.theorems), "theorem"),
                   file.left_out.empty()
                       ? ""
                       : fmt::format(", {} left out", reports::counted(std::ssize(file.left_out), "choice of sizes",
                                                                       "choices of sizes")));
      } catch (const evidence::NotWritten& why) {
        fmt::print("{}: not exported: {}\n", name_for_people(each), why.what());
        code = terminal::exit_undecided;
      } catch (const language::Problem& problem) {
        throw std::invalid_argument(fmt::format("{}: {}", name_for_people(each), problem.what()));
      }
    }
  } catch (const engine::Interrupted&) {
    fmt::print(stderr, "attest: interrupted\n");
    return terminal::exit_interrupted;
  }
  return code;
}

void add_export(CLI::App& verb, Chosen& chosen) {
  auto& o = options_for<ExportOptions>(verb, chosen, export_theorems);
  verb.add_option(
          "statement", o.statements,
          "ids of claims (beside PAPER.attest its ids and labels), files with statements or evidence, or statements in "
          "quotes")
      ->required();
  verb.add_flag("--coq", o.coq, "statement and proof for coqc with the library Interval");
  verb.add_flag("--lean", o.lean, "the statement for Lean with Mathlib, without proof and not checked");
  add_budget(verb, o.budget);
  add_seed(verb, o.seed);
  add_threads(verb, o.threads);
  add_output_folder(verb, "--out", o.directory, "folder for the files")->capture_default_str();
  verb.footer(
      "Exit codes: 0 all written; 2 wrong usage or bad input; 4 some verdict is not exact, or a statement cannot "
      "be written in real scalars; 130 interrupted. coqc decides whether a proof is accepted.");
}

}  // namespace

Verb export_verb() { return {"export", "export exact verdicts as theorems for Coq or Lean", add_export}; }

}  // namespace attest::commands::definitions
