#include <cstdint>
#include <string>

#include <CLI/CLI.hpp>

#include "simulations/commands/compare.hpp"
#include "simulations/commands/explain.hpp"
#include "simulations/commands/figure_options.hpp"
#include "simulations/commands/list.hpp"
#include "simulations/commands/list_attention.hpp"
#include "simulations/commands/list_quantities.hpp"
#include "simulations/commands/replay.hpp"
#include "simulations/commands/report.hpp"
#include "simulations/commands/results.hpp"
#include "simulations/commands/verb.hpp"

namespace attest::commands {
namespace {

void add_filter(CLI::App& verb, StatementFilter& filter, const char* positional) {
  verb.add_option(positional, filter.patterns,
                  "ids, globs over ids (quote them), labels or their words such as 'theorem 3.1'");
  verb.add_option("--paper", filter.papers, "only this paper's; may be repeated")->allow_extra_args(false);
  verb.add_option("--verdict", filter.verdicts, "only with this verdict on record; may be repeated")
      ->allow_extra_args(false);
  verb.add_option(
          "--finding", filter.findings,
          "only with this finding: error, constant, assumption, slip, imprecise or unsupported; may be repeated")
      ->allow_extra_args(false);
  verb.add_option("--kind", filter.kinds, "only of this kind; may be repeated")->allow_extra_args(false);
  verb.add_option("--grep", filter.words, "only with all of these words in id, label, title, assumptions or note");
}

struct ListOptions {
  StatementFilter filter;
  bool json = false, attention = false, quantities = false;
};

void add_list(CLI::App& verb, Chosen& chosen) {
  ListOptions& o = options_for<ListOptions>(verb, chosen, [](const ListOptions& given) {
    if (given.quantities) return list_quantities(given.json);
    return given.attention ? list_attention(given.json) : list(given.filter, given.json);
  });
  add_filter(verb, o.filter, "statements");
  verb.add_flag("--json", o.json, "machine-readable: one array of objects");
  auto* attention =
      verb.add_flag("--attention", o.attention, "the attention mechanisms of attest apply instead of the statements");
  verb.add_flag("--quantities", o.quantities, "what attest sweep can sweep instead of the statements")
      ->excludes(attention);
}

struct ExplainOptions {
  StatementFilter filter;
  std::filesystem::path out = "out";
  bool json = false, tex = false;
};

void add_explain(CLI::App& verb, Chosen& chosen) {
  ExplainOptions& o = options_for<ExplainOptions>(verb, chosen, [](const ExplainOptions& given) {
    return explain(given.filter, given.out,
                   given.json  ? ExplainAs::json
                   : given.tex ? ExplainAs::tex
                               : ExplainAs::text);
  });
  add_filter(verb, o.filter, "statements");
  verb.add_option("--out", o.out, "directory of the run whose evidence is shown, where it holds the statement")
      ->capture_default_str();
  auto* json = verb.add_flag("--json", o.json, "machine-readable: one array, as in results.json where a run is stored");
  verb.add_flag("--tex", o.tex, "a fragment of LaTeX, for a document with amsmath and amssymb")->excludes(json);
}

struct ReplayOptions {
  std::string witness;
  std::uint64_t seed = 0;
};

void add_replay(CLI::App& verb, Chosen& chosen) {
  ReplayOptions& o = options_for<ReplayOptions>(
      verb, chosen, [](const ReplayOptions& given) { return replay(given.witness, given.seed); });
  verb.add_option("witness", o.witness, "a file of out/witnesses/; a path below out/ may omit out/")->required();
  verb.add_option("--seed", o.seed, "fresh seed for a stochastic witness; 0 keeps the stored one");
}

struct ReportOptions {
  std::filesystem::path directory = "out";
  bool errata = false, bibtex = false;
  FigureOptions figures;
};

void add_report(CLI::App& verb, Chosen& chosen) {
  ReportOptions& o = options_for<ReportOptions>(verb, chosen, [](const ReportOptions& given) {
    return given.bibtex ? report_bibtex(given.directory) : report(given.directory, given.errata, given.figures.style());
  });
  verb.add_option("directory", o.directory,
                  "a directory of a check (results.json), a sweep (points.json) or a training (summary.json)")
      ->capture_default_str();
  verb.add_flag("--errata", o.errata, "also print the errata of a check to errata.pdf, where Chromium is installed");
  add_figure_options(verb, o.figures);
  verb.add_flag("--bibtex", o.bibtex, "print an entry that cites the record of a check, and nothing else");
}

void add_compare(CLI::App& verb, Chosen& chosen) {
  CompareOptions& o = options_for<CompareOptions>(verb, chosen, compare);
  verb.add_option("inputs", o.inputs,
                  "a CSV file with the columns variant, seed and metrics; or two records of attest check, files or "
                  "directories")
      ->expected(1, 2);
  verb.add_option("--metric", o.metric, "the primary metric, where there are several");
  verb.add_option("--better", o.better, "lower or higher; lower is taken for losses and perplexities alone");
  verb.add_option("--also", o.also,
                  "a further metric, NAME:lower or NAME:higher, that shares the level; may be repeated")
      ->allow_extra_args(false);
  verb.add_option("--baseline", o.baseline, "compare with this variant only, instead of every pair");
  verb.add_option("--smallest", o.smallest, "the smallest difference of the primary metric that matters")
      ->check(CLI::NonNegativeNumber);
  verb.add_option("--range", o.range,
                  "LOWER,UPPER of the primary metric, such as 0,1: also an interval without symmetry");
  verb.add_option("--level", o.level, "probability of any false verdict, in all comparisons together")
      ->check(CLI::Range(1e-9, 0.5))
      ->capture_default_str();
  verb.add_option("--json", o.json, "also write the comparisons or changes to this file");
  verb.add_option("--figure", o.figure,
                  "also draw the primary metric's differences into this file name with the endings .svg, .pdf, .tex "
                  "(PGF/TikZ) and .csv");
  add_figure_options(verb, o.figures);
  verb.add_option("--example", o.example, "write invented losses of three variants to this file, and end");
  verb.footer(
      "Seeds may be added, and looked at after each, until a verdict stands.\n\n"
      "Exit codes: 0 compared, whatever the verdicts; of records 1 when a verdict changed for the worse; 2 wrong usage "
      "or bad input; 3 a file failed.");
}

void add_results(CLI::App& verb, Chosen& chosen) {
  ResultsOptions& o = options_for<ResultsOptions>(verb, chosen, results);
  verb.add_option("folder", o.folder, "the folder of results")->capture_default_str();
  verb.add_option("--add", o.add,
                  "a directory of attest train or of measure --blocks: its summary becomes a result of the folder");
  verb.add_option("--name", o.name, "the name of the result that is added; the experiment's if not given");
  verb.add_flag("--check", o.check, "write nothing, and exit with 1 where README.md is not that of the results");
}

}  // namespace

std::vector<Verb> record_verbs() {
  return {{"list", "list statements, attention mechanisms or quantities", add_list},
          {"explain", "show statements in full", add_explain},
          {"replay", "evaluate a stored counterexample again, alone", add_replay},
          {"report", "rebuild the report from stored results", add_report},
          {"results", "check or show the results that ship, or add one", add_results},
          {"compare", "compare paired results by a sequential test, or two records of check", add_compare}};
}

}  // namespace attest::commands
