#include "simulations/commands/command_line.hpp"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <stdexcept>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/names/nearest.hpp"
#include "simulations/commands/apply.hpp"
#include "simulations/commands/bench.hpp"
#include "simulations/commands/check.hpp"
#include "simulations/commands/data.hpp"
#include "simulations/commands/evidence_verbs.hpp"
#include "simulations/commands/info.hpp"
#include "simulations/commands/judge.hpp"
#include "simulations/commands/list_attention.hpp"
#include "simulations/commands/measure.hpp"
#include "simulations/commands/paper_text.hpp"
#include "simulations/commands/record_verbs.hpp"
#include "simulations/commands/serve.hpp"
#include "simulations/commands/shell_support.hpp"
#include "simulations/commands/sweep.hpp"
#include "simulations/commands/train.hpp"
#include "simulations/commands/try.hpp"
#include "simulations/commands/usage.hpp"
#include "simulations/judge/target/library_target.hpp"
#include "simulations/terminal/build_facts.hpp"
#include "simulations/terminal/exit_codes.hpp"
#include "simulations/terminal/run_program.hpp"

namespace attest::commands {
namespace {

/// The options of all verbs, and the verb that the command line chose.
struct CommandLine {
  CheckOptions check;
  ApplyOptions apply;
  SweepOptions sweep;
  JudgeOptions judge;
  TryOptions attempt;
  ServeOptions serve;
  BenchOptions bench;
  bool json = false;
  std::string paper, tex;
  simulations::MeasureOptions measure;
  std::string measure_budget = "standard";
  std::string json_file;
  std::string checkpoint;
  std::string data_set;
  std::string mirror;
  std::filesystem::path data_dir;
  std::function<int()> chosen;
};

void add_check(CLI::App& verb, CommandLine& line) {
  CheckOptions& o = line.check;
  verb.add_option("statements", o.selection.patterns,
                  "ids, globs over ids (quote them), labels, or files PAPER.attest; all statements when none is given");
  verb.add_option("--paper", o.selection.paper, "only this paper's statements, by the first part of their ids");
  verb.add_option("--plugin", o.plugins,
                  "a library of checks of your own (see CONTRIBUTING.md); may be repeated; judged alone unless "
                  "statements are named")
      ->allow_extra_args(false);
  verb.add_option("--theorems", o.theorems,
                  "directory whose files FOLDER/NAME.attest replace the statements built in as text");
  verb.add_option("--budget", o.budget, "quick, standard, deep or a number of seconds such as 90s")
      ->capture_default_str();
  verb.add_option("--seed", o.seed, "seed of all random streams")->capture_default_str();
  verb.add_option("--threads", o.threads, "threads, 0 for one per core; never changes a result")->capture_default_str();
  verb.add_option("--device", o.device, "cpu or cuda")->capture_default_str();
  verb.add_option("--data-dir", o.data_dir, "where data sets are looked for first");
  verb.add_option("--training", o.trainings,
                  "summary.json of a training; may be repeated: judges statements that await trained models");
  verb.add_option("--out", o.paths.directory, "directory for results, witnesses and report")->capture_default_str();
  verb.add_option("--json", o.paths.json, "also write results.json to this file");
  verb.add_option("--junit", o.paths.junit, "also write junit.xml to this file");
  verb.add_flag("--mutants", o.mutants,
                "also judge every planted near-miss (done without asking when the whole suite is judged)");
  verb.add_flag("--no-mutants", o.no_mutants, "leave the near-misses out");
  verb.add_option("--since", o.since,
                  "an earlier record, results.json or its directory: prints what changed, exit code 1 for the worse");
  verb.add_flag("--no-measure", o.no_measure, "leave out the quantities on real input");
  verb.footer(
      "Exit codes: 0 every verdict is the recorded one; 1 some verdict differs or a near-miss was not refuted; 2 wrong "
      "usage or bad input; 3 a file or device failed; 130 interrupted.");
  verb.callback([&line] { line.chosen = [&line] { return check(line.check); }; });
}

void add_apply(CLI::App& verb, CommandLine& line) {
  ApplyOptions& o = line.apply;
  verb.add_option("mechanism", o.mechanism, "its name; attest list --attention shows them all")->required();
  verb.add_option("--input", o.input, "the arrays to apply it to, .npz or .safetensors");
  verb.add_option("--output", o.output, "where out and the gradients go, .npz or .safetensors");
  verb.add_option("--set", o.settings, "key=value, once for each option of the mechanism")->allow_extra_args(false);
  verb.add_flag("--grad", o.gradients, "also loss = sum(out * R) and the gradient of every floating-point input");
  verb.add_flag("--lse", o.lse, "also lse, the logarithm of each row's sum of exponentials");
  verb.add_option("--expect", o.expected, "your own results, .npz or .safetensors: compared with ours entry by entry");
  verb.add_option("--layout", o.layout, "bhnd or bnhd: the axes of q, k, v, R, out and their gradients")
      ->capture_default_str();
  verb.add_option("--dtype", o.type, "float64, float32, float16 or bfloat16: what inputs are rounded to and given back")
      ->capture_default_str();
  verb.add_option("--device", o.device, "cpu or cuda")->capture_default_str();
  verb.add_option("--threads", o.threads, "threads, 0 for one per core; never changes a result")->capture_default_str();
  verb.add_option("--example", o.example, "write a small input that suits the mechanism to this file, and end");
  verb.footer(apply_help);
  verb.callback([&line] { line.chosen = [&line] { return apply(line.apply); }; });
}

void add_judge(CLI::App& verb, CommandLine& line) {
  JudgeOptions& o = line.judge;
  verb.add_option("target", o.target,
                  "python:MODULE:FUNCTION (MODULE may be a .py file), ./libmine.so, command:\"./mine {in} {out}\" or "
                  "recorded:DIR");
  verb.add_option("--as", o.mechanism, "what it should compute; attest list --attention shows the names")
      ->capture_default_str();
  verb.add_option("--set", o.settings, "key=value, once for each convention or option of the mechanism")
      ->allow_extra_args(false);
  verb.add_option("--python", o.python, "the interpreter; python3 or /usr/bin/python3 unless given");
  verb.add_flag("--torch", o.torch, "hand over PyTorch tensors, and differentiate by autograd unless dout is taken");
  verb.add_option("--dtype", o.types,
                  "float64, float32, float16 or bfloat16; may be repeated; all that work unless given")
      ->allow_extra_args(false);
  verb.add_option("--options", o.options, "only these options of the contract, such as causal,mask,dout")
      ->delimiter(',')
      ->allow_extra_args(false);
  verb.add_option(
          "--accumulate", o.accumulate,
          "what 16-bit results are held to: float32 (sums in float32, arrays between steps in the type), strict "
          "(nothing but inputs and outputs in the type) or input (sums in the type too)")
      ->capture_default_str();
  verb.add_option("--budget", o.budget, "quick (half a minute) or standard (five)")->capture_default_str();
  verb.add_option("--seed", o.seed, "seed of all random streams")->capture_default_str();
  verb.add_option("--threads", o.threads, "processes that are judged at a time, 0 for two; never changes a result")
      ->capture_default_str();
  verb.add_option("--limit", o.limit, "seconds that a call may take")->capture_default_str();
  verb.add_option("--case", o.case_file, "only this case, as a finding has stored it");
  verb.add_option("--out", o.out, "directory for the cases of findings")->capture_default_str();
  verb.add_option("--json", o.json, "also write the judgement to this file");
  verb.add_option("--junit", o.junit, "also write it as JUnit");
  verb.add_option("--sarif", o.sarif, "also write it as SARIF");
  verb.add_option("--emit-cases", o.emit_cases,
                  "write the cases to this directory, for another machine to answer, and end");
  verb.add_option("--emit-wrapper", o.emit_wrapper, "print a wrapper to start from, and end: torch, jax, triton or c");
  verb.footer("Exit codes: 0 no finding; 1 findings; 2 wrong usage or bad input; 3 a file failed; 130 interrupted.");
  verb.callback([&line] { line.chosen = [&line] { return judge(line.judge); }; });
}

/// --json alone prints; --json FILE writes there.
void add_json(CLI::App& verb, bool& to_output, std::string& file) {
  verb.add_option_function<std::string>(
          "--json",
          [&to_output, &file](const std::string& given) {
            to_output = given.empty();
            file = given;
          },
          "machine-readable: one object on standard output, or in the file that is named")
      ->expected(0, 1)
      ->default_str("");
}

void add_try(CLI::App& verb, CommandLine& line) {
  TryOptions& o = line.attempt;
  verb.add_option("statement", o.statement, "the statement in quotes, a file that holds it, or - for standard input")
      ->required();
  verb.add_option("--budget", o.budget, "quick, standard, deep or a number of seconds such as 90s")
      ->capture_default_str();
  verb.add_option("--seed", o.seed, "seed of all random streams")->capture_default_str();
  verb.add_option("--threads", o.threads, "threads, 0 for one per core; never changes a result")->capture_default_str();
  add_json(verb, o.to_json, o.json_file);
  verb.add_option(
      "--evidence", o.evidence_file,
      "where an exact verdict is written so that attest verify, or check_evidence.py alone, checks it again");
  verb.footer(
      "Exit codes: 0 the statement stands; 1 it is refuted; 2 it cannot be read or meant; 3 a file failed; 4 it is "
      "undecided or vacuous; 130 interrupted.");
  verb.callback([&line] { line.chosen = [&line] { return try_statement(line.attempt); }; });
}

void add_new(CLI::App& verb, CommandLine& line) {
  verb.add_option("paper", line.paper, "the text file that is to be made, PAPER.attest")->required();
  verb.add_option("--from", line.tex, "the paper's TeX source, whose labelled theorems and equations are drafted")
      ->required();
  verb.footer("Exit codes: 0 the draft is written; 2 bad input; 3 a file failed.");
  verb.callback([&line] { line.chosen = [&line] { return new_paper(line.paper, line.tex); }; });
}

void add_drift(CLI::App& verb, CommandLine& line) {
  verb.add_option("source", line.tex, "the paper's TeX source")->required();
  verb.add_option("paper", line.paper, "its text file, PAPER.attest")->required();
  verb.footer(
      "Exit codes: 0 every transcribed claim still has its text; 1 a label is gone or its text has changed; 2 bad "
      "input.");
  verb.callback([&line] { line.chosen = [&line] { return drift(line.tex, line.paper); }; });
}

void add_serve(CLI::App& verb, CommandLine& line) {
  ServeOptions& o = line.serve;
  verb.add_option("--budget", o.budget, "of requests that name none: quick, standard, deep or seconds")
      ->capture_default_str();
  verb.add_option("--seed", o.seed, "of requests that name none")->capture_default_str();
  verb.add_option("--threads", o.threads, "threads, 0 for one per core; never changes a result")->capture_default_str();
  verb.footer(
      "One request a line on standard input, {\"id\": 1, \"statement\": \"forall x in R: x^2 >= 0\"}; one answer a "
      "line, "
      "in the same order, with the keys of attest try --json, \"id\" and \"exit\"; \"error\" where it cannot be "
      "read.");
  verb.callback([&line] { line.chosen = [&line] { return serve(line.serve); }; });
}

void add_bench(CLI::App& verb, CommandLine& line) {
  BenchOptions& o = line.bench;
  verb.add_option("table", o.table,
                  "a table (.tsv) of statements whose truth is known; the built-in ones when none is given");
  verb.add_option("--only", o.only, "only statements whose id contains this");
  verb.add_option("--budget", o.budget, "quick, standard, deep or a number of seconds a statement such as 10s")
      ->capture_default_str();
  verb.add_option("--seed", o.seed, "seed of all random streams")->capture_default_str();
  verb.add_option("--seeds", o.seeds, "so many seeds, from --seed on")->capture_default_str();
  verb.add_option("--threads", o.threads, "threads, 0 for one per core; never changes a result")->capture_default_str();
  add_json(verb, o.to_json, o.json_file);
  verb.footer(
      "Exit codes: 0 no statement was judged wrongly; 1 some was; 2 wrong usage or bad input; 130 interrupted.");
  verb.callback([&line] { line.chosen = [&line] { return bench(line.bench); }; });
}

void add_sweep(CLI::App& verb, CommandLine& line) {
  SweepOptions& o = line.sweep;
  verb.add_option("spec", o.spec, "what to sweep, a .toml file; simulations/sweeps/ holds ready-made ones")->required();
  verb.add_option("--out", o.out, "directory of run.db, points.csv and points.json; out/sweeps/NAME unless given");
  verb.add_flag("--resume", o.resume, "go on with the run that the directory holds");
  verb.add_option("--shard", o.shard, "i/n: only every n-th point, from the i-th on");
  verb.add_option("--merge", o.merged, "directories of other runs, such as shards: their points are taken first");
  verb.add_option("--threads", o.threads, "threads, 0 for one per core; never changes a result")->capture_default_str();
  verb.add_option("--device", o.device, "cpu or cuda, which never changes a result either")->capture_default_str();
  verb.add_option("--seed", o.seed, "seed of all random streams, instead of the spec's");
  verb.footer(
      "Killed at any moment, a sweep loses nothing that was finished: --resume goes on. On several processes: mpirun "
      "-n K build/bin/attest sweep SPEC.toml\n\n"
      "Exit codes: 0 finished; 2 wrong usage or bad input; 3 a file or device failed; 130 interrupted.");
  verb.callback([&line] { line.chosen = [&line] { return sweep(line.sweep); }; });
}

void add_measure(CLI::App& verb, CommandLine& line) {
  verb.add_option(
      "--data", line.measure.data,
      "a data set's name (attest data list) or a file: IDX images or text; both defaults when none is given");
  verb.add_option("--budget", line.measure_budget, "quick, standard or deep")->capture_default_str();
  verb.add_option("--seed", line.measure.seed, "seed of all random streams")->capture_default_str();
  verb.add_option("--threads", line.measure.threads, "threads, 0 for one per core; never changes a result")
      ->capture_default_str();
  verb.add_option("--data-dir", line.measure.data_dir, "where data sets are looked for first");
  verb.add_option("--json", line.json_file, "also write the measurements to this file");
  verb.add_option(
      "--checkpoint", line.checkpoint,
      "a trained model instead, DIR/checkpoints/RUN.safetensors: noise, spectra, Jacobians, token similarity");
  verb.callback([&line] {
    line.chosen = [&line] {
      if (!line.checkpoint.empty())
        return measure_checkpoint(line.checkpoint, line.measure, line.measure_budget, line.json_file);
      return measure(line.measure, line.measure_budget, line.json_file);
    };
  });
}

void add_data(CLI::App& verb, CommandLine& line) {
  verb.require_subcommand(1);
  CLI::App* list_verb = verb.add_subcommand("list", "the data sets known by name, and whether they are there");
  CLI::App* describe_verb = verb.add_subcommand("describe", "what a data set or file holds");
  describe_verb->add_option("name", line.data_set, "a data set's name or a file")->required();
  CLI::App* fetch_verb = verb.add_subcommand("fetch", "download a data set from its documented address");
  fetch_verb->add_option("name", line.data_set, "a data set's name")->required();
  fetch_verb->add_option("--mirror", line.mirror, "take the same file names from this address instead");
  for (CLI::App* each : {list_verb, describe_verb, fetch_verb}) {
    each->add_option("--data-dir", line.data_dir, "where data sets are looked for first, and fetched to");
    each->add_flag("--json", line.json, "machine-readable");
  }
  list_verb->callback([&line] { line.chosen = [&line] { return list_data_sets(line.data_dir, line.json); }; });
  fetch_verb->callback([&line] {
    line.chosen = [&line] { return fetch_data_set(line.data_set, line.data_dir, line.mirror, line.json); };
  });
  describe_verb->callback(
      [&line] { line.chosen = [&line] { return describe_data_set(line.data_set, line.data_dir, line.json); }; });
}

void add_info(CLI::App& verb, CommandLine& line) {
  verb.add_flag("--json", line.json, "machine-readable");
  verb.callback([&line] { line.chosen = [&line] { return info(line.json); }; });
}

void add_train(CLI::App& verb, CommandLine& line) {
  // Its options, and the help on them, are those of the program it hands over to.
  verb.set_help_flag();
  verb.prefix_command();
  verb.callback([&line, &verb] { line.chosen = [&verb] { return train(verb.remaining()); }; });
}

/// `attest judge-library FILE` is how the judge starts itself for a library's calls; it is nobody's verb.
bool serves_library(int argc, char** argv) {
  constexpr int words = 3;
  return argc == words && std::string_view(argv[1]) == "judge-library";
}

/// CLI11 answers an unknown verb with "a subcommand is required", which does not name it.
void require_known_verb(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || *argv[1] == '-') return;
  std::vector<std::string> verbs;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
    verbs.push_back(verb->get_name());
  if (std::find(verbs.begin(), verbs.end(), argv[1]) == verbs.end())
    throw std::invalid_argument(fmt::format("unknown verb '{}': did you mean {}? There are {}", argv[1],
                                            names::nearest(verbs, argv[1], 1).front(), fmt::join(verbs, ", ")));
}

int parse_and_run(CLI::App& app, const CommandLine& line, int argc, char** argv) {
  return terminal::run_program(app, [&] {
    if (!app.get_subcommands([](const CLI::App*) { return true; }).empty()) require_known_verb(app, argc, argv);
    refuse_what_is_no_number(app);
    parse(app, argc, argv);
    return line.chosen();
  });
}

}  // namespace

int run_attest(int argc, char** argv) {
  if (serves_library(argc, argv)) return judge::serve_library(argv[2]);
  CLI::App app("A numerical referee for the theory of attention.", "attest");
  app.set_version_flag("--version", terminal::version);
  app.require_subcommand(1);
  CommandLine line;
  add_check(*app.add_subcommand("check", "judge statements and write the evidence"), line);
  add_try(*app.add_subcommand("try", "judge one statement of your own"), line);
  add_new(*app.add_subcommand("new", "draft the text file of a paper from its TeX source"), line);
  add_drift(*app.add_subcommand("drift", "has the TeX source moved away from the text file?"), line);
  add_serve(*app.add_subcommand("serve", "judge statements as JSON lines"), line);
  add_bench(*app.add_subcommand("bench", "the judge of statements, on statements whose truth is known"), line);
  add_evidence_verbs(app, line.chosen);
  add_apply(*app.add_subcommand("apply", "evaluate an attention mechanism, and its gradients, on your arrays"), line);
  add_judge(*app.add_subcommand("judge", "is your attention implementation right?"), line);
  add_sweep(*app.add_subcommand("sweep", "a quantity over a grid or design of its parameters"), line);
  add_record_verbs(app, line.chosen);
  add_measure(*app.add_subcommand("measure", "the propositions' quantities on attention over real data"), line);
  add_data(*app.add_subcommand("data", "data sets: what is there, what a file holds, downloads"), line);
  add_train(*app.add_subcommand("train", "train variants of a model and compare them"), line);
  add_info(*app.add_subcommand("info", "version, compiler, components, devices"), line);
  add_shell_verbs(app, line.chosen);
  return parse_and_run(app, line, argc, argv);
}

int run_family(const std::string& family, int argc, char** argv) {
  CLI::App app("Judges the statements of the family " + family + ".", "check_" + family);
  CommandLine line;
  line.check.selection.family = family;
  add_check(app, line);
  return parse_and_run(app, line, argc, argv);
}

}  // namespace attest::commands
