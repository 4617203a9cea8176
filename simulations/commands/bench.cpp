// attest bench: the judge of statements, judged.
#include "theorems/referee/known_truths/bench.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "kernels/files/whole_file.hpp"
#include "reports/files/atomic_file.hpp"
#include "reports/text/numbers.hpp"
#include "simulations/command/common_options.hpp"
#include "simulations/command/statements/judging_options.hpp"
#include "simulations/command/verb.hpp"
#include "simulations/terminal/exit_codes.hpp"

namespace attest::commands::definitions {
namespace {

struct BenchOptions {
  std::string table;  ///< a table of known truths (.tsv); the built-in ones when empty
  std::string only;   ///< only ids that contain this
  std::string budget = "standard";
  std::uint64_t seed = 1;
  std::uint64_t seeds = 1;  ///< how many, from `seed` on
  unsigned threads = 0;
  bool to_json = false;
  std::string json_file;
};

std::vector<referee::KnownTruth> table_of(const BenchOptions& options) {
  std::vector<referee::KnownTruth> truths =
      options.table.empty() ? referee::known_truths()
                            : referee::read_known_truths(files::read_whole(options.table), options.table);
  std::erase_if(truths, [&](const referee::KnownTruth& t) { return t.id.find(options.only) == std::string::npos; });
  if (truths.empty()) throw std::invalid_argument(fmt::format("no statement's id contains '{}'", options.only));
  return truths;
}

const char* word(referee::Score score) {
  return score == referee::Score::right ? "right" : score == referee::Score::wrong ? "WRONG" : "undecided";
}

void print_row(const referee::BenchRow& row) {
  fmt::print("{:<10} {:<10} {:<10} {:>6.2f} s  {}\n", row.known.id, word(row.score), row.verdict, row.seconds,
             row.remark);
}

/// Planted violations carry dimension and share of the domain in their ids, V3-1e-4: a table of what was found.
void print_detection(const referee::BenchResult& result) {
  std::map<std::string, std::string> lines;
  for (const referee::BenchRow& row : result.rows) {
    const auto dash = row.known.id.find('-');
    if (row.known.id.empty() || row.known.id.front() != 'V' || dash == std::string::npos) continue;
    lines[row.known.id.substr(1, dash - 1)] +=
        fmt::format("  {} {}", row.known.id.substr(dash + 1), row.score == referee::Score::right ? "found" : "missed");
  }
  if (lines.empty()) return;
  fmt::print("planted violations by dimension and share of the domain\n");
  for (const auto& [dimension, line] : lines)
    fmt::print("  {}{}\n", dimension == "1" ? "1 variable" : dimension + " variables", line);
}

void print_summary(const referee::BenchResult& result, std::uint64_t seed) {
  fmt::print("seed {}: {}, {} right, {} undecided, {} wrong, score {}; median {:.2f} s, 95 % within {:.2f} s\n", seed,
             reports::counted(std::ssize(result.rows), "statement"), result.count(referee::Score::right),
             result.count(referee::Score::undecided), result.count(referee::Score::wrong), result.points(),
             result.seconds_at(0.5), result.seconds_at(0.95));
}

/// Judges every statement of the table and prints right, undecided and wrong, the score and the time for each. Returns
/// 1 where any was wrong, 130 where it was interrupted, else 0. Errors: std::invalid_argument for a table that cannot
/// be read, naming its line.
int bench(const BenchOptions& options) {
  const std::vector<referee::KnownTruth> truths = table_of(options);
  referee::JudgeOptions judging = judging_options(options.budget, options.seed, options.threads);
  if (options.seeds == 0) throw std::invalid_argument("--seeds must be at least 1");
  nlohmann::ordered_json runs = nlohmann::ordered_json::array();
  bool any_wrong = false;
  try {
    for (std::uint64_t seed = options.seed; seed < options.seed + options.seeds; ++seed) {
      judging.seed = seed;
      const referee::BenchResult result = referee::bench(truths, judging, [&](const referee::BenchRow& row) {
        if (!options.to_json && (options.seeds == 1 || row.score == referee::Score::wrong)) print_row(row);
      });
      any_wrong |= result.count(referee::Score::wrong) > 0;
      if (!options.to_json) {
        if (options.seeds == 1) print_detection(result);
        print_summary(result, seed);
      }
      nlohmann::ordered_json run{{"seed", seed}};
      run.update(referee::to_json(result));
      runs.push_back(std::move(run));
    }
  } catch (const engine::Interrupted&) {
    fmt::print(stderr, "attest: interrupted\n");
    return terminal::exit_interrupted;
  }
  const nlohmann::ordered_json document{{"schema", "attest-bench-1"}, {"budget", options.budget}, {"runs", runs}};
  if (options.to_json) fmt::print("{}\n", document.dump(2));
  if (!options.json_file.empty()) reports::write_file_atomically(options.json_file, document.dump(2) + "\n");
  return any_wrong ? terminal::exit_difference : terminal::exit_success;
}

void add_bench(CLI::App& verb, Chosen& chosen) {
  auto& o = options_for<BenchOptions>(verb, chosen, bench);
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

Verb bench_verb() { return {"bench", "score the judge on statements whose truth is known", add_bench}; }

}  // namespace attest::commands::definitions
