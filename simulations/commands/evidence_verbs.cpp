#include "simulations/commands/common_options.hpp"
#include "simulations/commands/export.hpp"
#include "simulations/commands/repeat.hpp"
#include "simulations/commands/verb.hpp"
#include "simulations/commands/verify.hpp"

namespace attest::commands {
namespace {

void add_verify(CLI::App& verb, Chosen& chosen) {
  VerifyOptions& o = options_for<VerifyOptions>(verb, chosen, verify);
  verb.add_option("path", o.paths, "evidence files, or directories that hold some")->required();
  verb.footer(
      "Exit codes: 0 all verified; 1 at least one is not; 2 a file is not evidence, or wrong usage; 4 none failed, but "
      "a file uses something that the checker does not know.");
}

void add_export(CLI::App& verb, Chosen& chosen) {
  ExportOptions& o = options_for<ExportOptions>(verb, chosen, export_theorems);
  verb.add_option("statement", o.statements,
                  "ids of claims, files with statements or evidence, or statements in quotes")
      ->required();
  verb.add_flag("--coq", o.coq, "statement and proof for coqc with the library Interval");
  verb.add_flag("--lean", o.lean, "the statement for Lean with Mathlib, without proof and not checked");
  add_budget(verb, o.budget);
  add_seed(verb, o.seed);
  add_threads(verb, o.threads);
  verb.add_option("--out", o.directory, "directory for the files")->capture_default_str();
  verb.footer(
      "Exit codes: 0 all written; 2 wrong usage or bad input; 4 some verdict is not exact, or a statement says what "
      "real "
      "scalars cannot; 130 interrupted. Whether a proof is accepted coqc says.");
}

void add_repeat(CLI::App& verb, Chosen& chosen) {
  RepeatOptions& o = options_for<RepeatOptions>(verb, chosen, repeat);
  verb.add_option("statement", o.statements,
                  "ids of claims, files with statements or stochastic evidence, or statements in quotes")
      ->required();
  verb.add_option("--out", o.directory, "directory in which the stochastic evidence is kept");
  add_budget(verb, o.budget);
  add_seed(verb, o.seed, "seed of our random streams; NumPy draws its own");
  add_threads(verb, o.threads);
  verb.footer(
      "Exit codes: 0 all intervals overlap; 1 some do not; 2 wrong usage or bad input; 4 nothing to repeat, or a law "
      "or "
      "function that the repeater does not know; 130 interrupted.");
}

}  // namespace

std::vector<Verb> evidence_verbs() {
  return {{"verify", "check evidence files by a program that shares no code with this one", add_verify},
          {"repeat", "estimate expectations again with NumPy and other random numbers", add_repeat},
          {"export", "export exact verdicts as theorems for Coq or Lean", add_export}};
}

}  // namespace attest::commands
