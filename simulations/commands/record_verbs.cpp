#include <cstdint>
#include <memory>
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
  const auto o = std::make_shared<ListOptions>();
  add_filter(verb, o->filter, "statements");
  verb.add_flag("--json", o->json, "machine-readable: one array of objects");
  auto* attention =
      verb.add_flag("--attention", o->attention, "the attention mechanisms of attest apply instead of the statements");
  verb.add_flag("--quantities", o->quantities, "what attest sweep can sweep instead of the statements")
      ->excludes(attention);
  verb.callback([o, &chosen] {
    chosen = [o] {
      if (o->quantities) return list_quantities(o->json);
      return o->attention ? list_attention(o->json) : list(o->filter, o->json);
    };
  });
}

struct ExplainOptions {
  StatementFilter filter;
  std::filesystem::path out = "out";
  bool json = false, tex = false;
};

void add_explain(CLI::App& verb, Chosen& chosen) {
  const auto o = std::make_shared<ExplainOptions>();
  add_filter(verb, o->filter, "statements");
  verb.add_option("--out", o->out, "directory of the run whose evidence is shown, where it holds the statement")
      ->capture_default_str();
  auto* json =
      verb.add_flag("--json", o->json, "machine-readable: one array, as in results.json where a run is stored");
  verb.add_flag("--tex", o->tex, "a fragment of LaTeX, for a document with amsmath and amssymb")->excludes(json);
  verb.callback([o, &chosen] {
    chosen = [o] {
      return explain(o->filter, o->out, o->json ? ExplainAs::json : o->tex ? ExplainAs::tex : ExplainAs::text);
    };
  });
}

struct ReplayOptions {
  std::string witness;
  std::uint64_t seed = 0;
};

void add_replay(CLI::App& verb, Chosen& chosen) {
  const auto o = std::make_shared<ReplayOptions>();
  verb.add_option("witness", o->witness, "a file of out/witnesses/; a path below out/ may leave out/ away")->required();
  verb.add_option("--seed", o->seed, "fresh seed for a stochastic witness; 0 keeps the stored one");
  verb.callback([o, &chosen] { chosen = [o] { return replay(o->witness, o->seed); }; });
}

struct ReportOptions {
  std::filesystem::path directory = "out";
  bool errata = false, bibtex = false;
  FigureOptions figures;
};

void add_report(CLI::App& verb, Chosen& chosen) {
  const auto o = std::make_shared<ReportOptions>();
  verb.add_option("directory", o->directory,
                  "a directory of a check (results.json), a sweep (points.json) or a training (summary.json)")
      ->capture_default_str();
  verb.add_flag("--errata", o->errata, "also print the errata of a check to errata.pdf, where Chromium is installed");
  add_figure_options(verb, o->figures);
  verb.add_flag("--bibtex", o->bibtex, "print an entry that cites the record of a check, and nothing else");
  verb.callback([o, &chosen] {
    chosen = [o] {
      return o->bibtex ? report_bibtex(o->directory) : report(o->directory, o->errata, o->figures.style());
    };
  });
}

void add_compare(CLI::App& verb, Chosen& chosen) {
  const auto options = std::make_shared<CompareOptions>();
  CompareOptions& o = *options;
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
  verb.callback([options, &chosen] { chosen = [options] { return compare(*options); }; });
}

void add_results(CLI::App& verb, Chosen& chosen) {
  const auto options = std::make_shared<ResultsOptions>();
  verb.add_option("folder", options->folder, "the folder of results")->capture_default_str();
  verb.add_option("--add", options->add, "a directory of attest train: its summary becomes a result of the folder");
  verb.add_option("--name", options->name, "the name of the result that is added; the experiment's if not given");
  verb.add_flag("--check", options->check, "write nothing, and exit with 1 where README.md is not that of the results");
  verb.callback([options, &chosen] { chosen = [options] { return results(*options); }; });
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
