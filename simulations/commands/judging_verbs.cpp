#include <string>

#include "simulations/commands/bench.hpp"
#include "simulations/commands/check.hpp"
#include "simulations/commands/common_options.hpp"
#include "simulations/commands/paper_text.hpp"
#include "simulations/commands/serve.hpp"
#include "simulations/commands/try.hpp"
#include "simulations/commands/verb.hpp"

namespace attest::commands {

void add_check(CLI::App& verb, Chosen& chosen, const char* family) {
  CheckOptions& o = options_for<CheckOptions>(verb, chosen, check);
  o.selection.family = family;
  verb.add_option("statements", o.selection.patterns,
                  "ids, globs over ids (quote them), labels, or files PAPER.attest; all statements when none is given");
  verb.add_option("--paper", o.selection.paper, "only this paper's statements, by the first part of their ids");
  verb.add_option("--plugin", o.plugins,
                  "a library of checks of your own (see CONTRIBUTING.md); may be repeated; judged alone unless "
                  "statements are named")
      ->allow_extra_args(false);
  verb.add_option("--theorems", o.theorems,
                  "directory whose files FOLDER/NAME.attest replace the statements built in as text");
  add_budget(verb, o.budget);
  add_seed(verb, o.seed);
  add_threads(verb, o.threads);
  verb.add_option("--device", o.device, "cpu or cuda")->capture_default_str();
  add_data_dir(verb, o.data_dir);
  verb.add_option("--training", o.trainings,
                  "summary.json of a training; may be repeated: judges statements that await trained models");
  verb.add_option("--out", o.paths.directory, "directory for results, witnesses and report")->capture_default_str();
  verb.add_option("--json", o.paths.json, "also write results.json to this file");
  verb.add_option("--junit", o.paths.junit, "also write junit.xml to this file");
  verb.add_flag("--mutants", o.mutants,
                "also judge every planted near-miss (the default when the whole suite is judged)");
  verb.add_flag("--no-mutants", o.no_mutants, "leave the near-misses out");
  verb.add_option("--since", o.since,
                  "an earlier record, results.json or its directory: prints what changed, exit code 1 for the worse");
  verb.add_flag("--no-measure", o.no_measure, "leave out the quantities on real input");
  verb.footer(
      "Exit codes: 0 every verdict is the recorded one; 1 some verdict differs or a near-miss was not refuted; 2 wrong "
      "usage or bad input; 3 a file or device failed; 130 interrupted.");
}

namespace {

void add_try(CLI::App& verb, Chosen& chosen) {
  TryOptions& o = options_for<TryOptions>(verb, chosen, try_statement);
  verb.add_option("statement", o.statement, "the statement in quotes, a file that holds it, or - for standard input")
      ->required();
  add_budget(verb, o.budget);
  add_seed(verb, o.seed);
  add_threads(verb, o.threads);
  add_json(verb, o.to_json, o.json_file);
  verb.add_option(
      "--evidence", o.evidence_file,
      "where an exact verdict is written so that attest verify, or check_evidence.py alone, checks it again");
  verb.footer(
      "Exit codes: 0 the statement stands; 1 it is refuted; 2 it cannot be read or meant; 3 a file failed; 4 it is "
      "undecided or vacuous; 130 interrupted.");
}

struct PaperOptions {
  std::string tex, paper;
};

void add_new(CLI::App& verb, Chosen& chosen) {
  PaperOptions& o = options_for<PaperOptions>(
      verb, chosen, [](const PaperOptions& given) { return new_paper(given.paper, given.tex); });
  verb.add_option("paper", o.paper, "the text file that is to be made, PAPER.attest")->required();
  verb.add_option("--from", o.tex, "the paper's TeX source, whose labelled theorems and equations are drafted")
      ->required();
  verb.footer("Exit codes: 0 the draft is written; 2 bad input; 3 a file failed.");
}

void add_drift(CLI::App& verb, Chosen& chosen) {
  PaperOptions& o =
      options_for<PaperOptions>(verb, chosen, [](const PaperOptions& given) { return drift(given.tex, given.paper); });
  verb.add_option("source", o.tex, "the paper's TeX source")->required();
  verb.add_option("paper", o.paper, "its text file, PAPER.attest")->required();
  verb.footer(
      "Exit codes: 0 every transcribed claim still has its text; 1 a label is gone or its text has changed; 2 bad "
      "input.");
}

void add_serve(CLI::App& verb, Chosen& chosen) {
  ServeOptions& o = options_for<ServeOptions>(verb, chosen, serve);
  add_budget(verb, o.budget, "of requests that name none: quick, standard, deep or seconds");
  add_seed(verb, o.seed, "of requests that name none");
  add_threads(verb, o.threads);
  verb.footer(
      "One request per line on standard input, {\"id\": 1, \"statement\": \"forall x in R: x^2 >= 0\"}; one answer per "
      "line, "
      "in the same order, with the keys of attest try --json, \"id\" and \"exit\"; \"error\" where it cannot be "
      "read.");
}

void add_bench(CLI::App& verb, Chosen& chosen) {
  BenchOptions& o = options_for<BenchOptions>(verb, chosen, bench);
  verb.add_option("table", o.table,
                  "a table (.tsv) of statements whose truth is known; the built-in ones when none is given");
  verb.add_option("--only", o.only, "only statements whose id contains this");
  add_budget(verb, o.budget, "quick, standard, deep or a number of seconds per statement such as 10s");
  add_seed(verb, o.seed);
  verb.add_option("--seeds", o.seeds, "number of seeds, starting with --seed")->capture_default_str();
  add_threads(verb, o.threads);
  add_json(verb, o.to_json, o.json_file);
  verb.footer(
      "Exit codes: 0 no statement was judged wrongly; 1 at least one was; 2 wrong usage or bad input; 130 "
      "interrupted.");
}

}  // namespace

std::vector<Verb> judging_verbs() {
  return {{"check", "judge statements and write the evidence",
           [](CLI::App& verb, Chosen& chosen) { add_check(verb, chosen, ""); }},
          {"try", "judge one statement of your own", add_try},
          {"new", "draft the text file of a paper from its TeX source", add_new},
          {"drift", "check that the text file still matches the TeX source", add_drift},
          {"serve", "judge statements as JSON lines", add_serve},
          {"bench", "score the judge on statements whose truth is known", add_bench}};
}

}  // namespace attest::commands
