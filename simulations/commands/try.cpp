// attest try: one statement of the user's own.
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "kernels/files/whole_file.hpp"
#include "reports/files/atomic_file.hpp"
#include "simulations/command/common_options.hpp"
#include "simulations/command/statements/judged_text.hpp"
#include "simulations/command/statements/judging_options.hpp"
#include "simulations/command/verb.hpp"
#include "simulations/terminal/exit_codes.hpp"
#include "theorems/evidence/evidence_file.hpp"
#include "theorems/language/problem.hpp"
#include "theorems/language/read.hpp"
#include "theorems/referee/judge.hpp"

namespace attest::commands::definitions {
namespace {

struct TryOptions {
  std::string statement;  ///< the statement, a file that holds it, or "-" for standard input
  std::string budget = "standard";
  std::uint64_t seed = 1;
  unsigned threads = 0;
  bool to_json = false;            ///< machine-readable
  std::string json_file;           ///< where to, instead of standard output
  std::string evidence_file = {};  ///< where an exact verdict's evidence goes; empty for nowhere
};

struct Source {
  std::string text;
  std::string file;  ///< empty for text from the command line
};

/// "draft.txt", "draft.attest": no statement is one word that ends like a file.
bool looks_like_path(const std::string& argument) {
  const auto letter = [](unsigned char c) { return std::isalpha(c) != 0; };
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '/' || c == '.';
  };
  const std::size_t dot = argument.rfind('.');
  return dot != std::string::npos && dot + 1 < argument.size() &&
         std::all_of(argument.begin(), argument.end(), plain) &&
         std::all_of(argument.begin() + static_cast<std::ptrdiff_t>(dot) + 1, argument.end(), letter);
}

Source read_source(const std::string& argument) {
  if (argument == "-")
    return {std::string(std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()), "standard input"};
  // A statement has brackets, relations and blanks that a file's name hardly has; what exists is to be read.
  std::error_code ignored;
  if (looks_like_path(argument) || (argument.size() < 4096 && std::filesystem::exists(argument, ignored)))
    return {files::read_whole(argument), argument};
  return {argument, ""};
}

void print_point(const referee::Point& point, const char* indent) {
  for (const referee::NamedValue& value : point.values) fmt::print("{}{}\n", indent, referee::shown(value));
  fmt::print("{}left side   {}\n{}right side  {}\n", indent, point.lhs, indent, point.rhs);
}

void print_best(const referee::BestConstant& best) {
  fmt::print("best {}      {} is demanded at a point{}\n", best.name, best.found,
             best.attained ? "" : " (approached, not attained)");
  if (!best.closed_form.empty()) {
    fmt::print("            {} = {} is not refuted{}\n", best.closed_form, best.not_refuted,
               best.certified ? ", and certified to be enough" : "");
  } else {
    fmt::print("            {} is not refuted{}\n", best.not_refuted,
               best.certified ? ", and certified to be enough" : "");
  }
  if (best.witness) print_point(*best.witness, "            ");
}

void print_near_misses(const referee::Outcome& outcome) {
  if (const referee::NearMiss* lie = outcome.smallest_lie()) {
    fmt::print("would catch {}\n", lie->name);
  } else if (!outcome.near_misses.empty()) {
    const std::size_t tried = outcome.near_misses.size();
    constexpr double far = 0.01;
    fmt::print("would catch {} tried{}\n",
               tried == 1 ? "not the one near-miss" : fmt::format("none of the {} near-misses", tried),
               outcome.tightest && outcome.tightest->relative_margin > far ? ": the bound may be loose" : "");
  }
  std::vector<std::string> needed, idle, open;
  for (const referee::Assumption& each : outcome.assumptions)
    (each.needed ? needed : each.undecided ? open : idle).push_back(each.text);
  if (!needed.empty()) fmt::print("needed      {}\n", fmt::join(needed, "; "));
  if (!idle.empty()) fmt::print("not needed  {} (not refuted without)\n", fmt::join(idle, "; "));
  if (!open.empty()) fmt::print("needed?     {} (undecided without)\n", fmt::join(open, "; "));
}

void print(const referee::Outcome& outcome) {
  fmt::print("reading     {}\nverdict     {}: {}\n", outcome.reading, engine::name(outcome.verdict), outcome.reason);
  fmt::print("domain      {}\nmethod      {}\n", outcome.domain, outcome.method);
  // Of a refuted question the witness says all: what it demands lies beyond the set.
  const bool answered = outcome.best && outcome.verdict != engine::Verdict::refuted;
  if (outcome.witness && !answered) {
    fmt::print("witness\n");
    print_point(*outcome.witness, "  ");
    if (outcome.witness->precision_bits > 0) fmt::print("  confirmed at {} bits\n", outcome.witness->precision_bits);
  }
  if (answered) print_best(*outcome.best);
  if (outcome.tightest) {
    fmt::print("tightest    relative slack {:.3g} at\n", outcome.tightest->relative_margin);
    print_point(*outcome.tightest, "            ");
  }
  print_near_misses(outcome);
  for (const auto& repair : {outcome.repair, outcome.repair_of_exponent}) {
    if (!repair) continue;
    fmt::print("repair      {}\n", repair->sentence);
    if (!repair->statement.empty()) fmt::print("            {}\n", repair->statement);
  }
  for (const std::string& remark : outcome.remarks) fmt::print("remark      {}\n", remark);
  if (!outcome.stands() && outcome.verdict != engine::Verdict::refuted)
    fmt::print("would change it: {}\n", outcome.would_change);
}

/// Writes the evidence where there is some; otherwise the reason why not.
std::string write_evidence(const std::string& text, const referee::Outcome& outcome, const TryOptions& options) {
  const language::Statement statement = language::read_statement(text);
  const engine::Context context = evidence_context(options.seed, options.threads);
  const evidence::Evidence evidence =
      evidence::evidence_for(statement, outcome, evidence::typed_heading(statement), context);
  if (evidence.document)
    reports::write_file_atomically(options.evidence_file, evidence.document->dump(1, ' ', true) + "\n");
  return evidence.why_not;
}

/// Judges the statement and prints reading, domain, verdict and evidence. Returns 0 where it stands, 1 where it is
/// refuted, 4 where it is undecided (or vacuous), 130 where it was interrupted. Errors: std::invalid_argument for a
/// statement that cannot be read or has no meaning, in one sentence with file, line and column; reports::IoError.
/// The verdict is printed before its evidence is written, unless all is one JSON object; a verdict that has none writes
/// no file and says why.
int try_statement(const TryOptions& options) {
  const referee::JudgeOptions judging = judging_options(options.budget, options.seed, options.threads);
  const Source source = read_source(options.statement);
  const char* before_what = "a verdict";
  try {
    const referee::Outcome outcome = judge_text(source.text, judging, source.file);
    nlohmann::ordered_json answer = {{"schema", "attest-statement-1"}};
    answer.update(referee::to_json(outcome));
    if (!options.to_json) {  // first: a full disk must not cost the verdict
      print(outcome);
      before_what = "its evidence was written";
    }
    std::string no_evidence;
    if (!options.evidence_file.empty()) {
      no_evidence = write_evidence(source.text, outcome, options);
      if (no_evidence.empty()) {
        answer["evidence_file"] = options.evidence_file;
      } else {
        answer["evidence_file"] = nullptr;
        answer["no_evidence"] = no_evidence;
      }
    }
    const std::string document = answer.dump(2) + "\n";
    if (!options.json_file.empty()) reports::write_file_atomically(options.json_file, document);
    if (options.to_json) {
      fmt::print("{}", document);
    } else if (!no_evidence.empty()) {
      fmt::print("evidence    none: {}\n", no_evidence);
    } else if (!options.evidence_file.empty()) {
      fmt::print("evidence    {}; check it by: attest verify {}\n", options.evidence_file, options.evidence_file);
    }
    return exit_of(outcome);
  } catch (const engine::Interrupted&) {
    fmt::print(stderr, "attest: interrupted before {}\n", before_what);
    return terminal::exit_interrupted;
  }
}

void add_try(CLI::App& verb, Chosen& chosen) {
  auto& o = options_for<TryOptions>(verb, chosen, try_statement);
  verb.add_option("statement", o.statement, "the statement in quotes, a file that holds it, or - for standard input")
      ->required();
  add_budget(verb, o.budget);
  add_seed(verb, o.seed);
  add_threads(verb, o.threads);
  add_json(verb, o.to_json, o.json_file);
  add_output_file(verb, "--evidence", o.evidence_file,
                  "file for the evidence of an exact verdict, which attest verify, or check_evidence.py alone, checks; "
                  "its folder is made",
                  names_no_folder);
  verb.footer(
      "Exit codes: 0 the statement stands; 1 it is refuted; 2 it cannot be read, or has no meaning; 3 a file failed; 4 "
      "it is "
      "undecided or vacuous; 130 interrupted.");
}

}  // namespace

Verb try_verb() { return {"try", "judge one statement of your own", add_try}; }

}  // namespace attest::commands::definitions
