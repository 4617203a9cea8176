// attest repeat: expectations and probabilities drawn again by another program with other random numbers.
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "kernels/files/whole_file.hpp"
#include "kernels/random/stream.hpp"
#include "reports/files/atomic_file.hpp"
#include "reports/files/temporary_folder.hpp"
#include "simulations/command/common_options.hpp"
#include "simulations/command/evidence/evidence_programs.hpp"
#include "simulations/command/evidence/python.hpp"
#include "simulations/command/statements/judging_options.hpp"
#include "simulations/command/statements/statement_source.hpp"
#include "simulations/command/verb.hpp"
#include "simulations/terminal/exit_codes.hpp"
#include "theorems/evidence/stochastic_file.hpp"
#include "theorems/language/read.hpp"

namespace attest::commands::definitions {
namespace {

struct RepeatOptions {
  std::vector<std::string> statements;  ///< as `statements_named` takes them, or stochastic evidence files
  std::string directory = {};           ///< where the stochastic evidence is kept; empty for nowhere
  std::string budget = "quick";
  std::uint64_t seed = 1;
  unsigned threads = 0;
};

namespace fs = std::filesystem;

/// The folder that was asked for, or one of its own that is gone afterwards.
class Folder {
 public:
  explicit Folder(const std::string& kept) : kept_(kept) {
    if (kept_.empty())
      own_.emplace("repeat");
    else
      fs::create_directories(kept_);
  }
  const fs::path& path() const { return own_ ? own_->path() : kept_; }

 private:
  fs::path kept_;
  std::optional<reports::TemporaryFolder> own_;
};

bool is_stochastic(const std::string& argument) {
  std::error_code ignored;
  if (argument.size() >= 4096 || !fs::is_regular_file(argument, ignored)) return false;
  return files::read_whole(argument).find("\"attest-stochastic-") != std::string::npos;
}

/// The repeater's words for each statement's expectations: a file that the user has or keeps by its path, another by
/// the statement's name ("--as NAME FILE"). What has no expectations is said.
int write_files(const RepeatOptions& options, const fs::path& folder, std::vector<std::string>& words) {
  int code = terminal::exit_success;
  const referee::JudgeOptions judging = judging_options(options.budget, options.seed, options.threads, false);
  std::vector<std::string> others;
  for (const std::string& argument : options.statements) (is_stochastic(argument) ? words : others).push_back(argument);
  for (const NamedStatement& each : statements_named(others)) {
    engine::Context context = evidence_context(options.seed, options.threads);
    context.key = random::stream_key(language::normal_form(each.statement));
    const referee::Outcome outcome = referee::judge(each.statement, judging);
    const evidence::Evidence made = evidence::stochastic_for(each.statement, outcome, each.heading, context);
    if (!made.document) {
      fmt::print("{}: nothing to repeat: {}\n", name_for_people(each), made.why_not);
      code = terminal::exit_undecided;
      continue;
    }
    std::string name = each.heading.id;
    std::replace(name.begin(), name.end(), '/', '-');
    if (options.directory.empty()) words.insert(words.end(), {"--as", name_for_people(each)});
    words.push_back((folder / (name + ".json")).string());
    reports::write_file_atomically(words.back(), made.document->dump(1, ' ', true) + "\n");
  }
  return code;
}

/// Judges each statement, draws its expectations at the witness or tightest point, and lets NumPy draw them again.
/// Prints for each whether both intervals overlap. Returns 0 where all do, 1 where one does not, 4 where a statement
/// has nothing to repeat or says what the repeater does not know. Errors: std::invalid_argument as `statements_named`,
/// and where no python3 with NumPy and mpmath is found.
int repeat(const RepeatOptions& options) {
  const Folder folder(options.directory);
  std::vector<std::string> words;
  try {
    const int code = write_files(options, folder.path(), words);
    if (words.empty()) return code;
    std::vector<std::string> command =
        python_command(python_with("mpmath, numpy", "python3-mpmath and python3-numpy"),
                       {{"check_evidence", std::string(evidence_checker())}}, std::string(evidence_repeater()));
    command.insert(command.end(), words.begin(), words.end());
    std::fflush(stdout);
    const int status = status_of(std::move(command), false);
    return status == 0 ? code : status;
  } catch (const engine::Interrupted&) {
    fmt::print(stderr, "attest: interrupted\n");
    return terminal::exit_interrupted;
  }
}

void add_repeat(CLI::App& verb, Chosen& chosen) {
  auto& o = options_for<RepeatOptions>(verb, chosen, repeat);
  verb.add_option(
          "statement", o.statements,
          "ids of claims (beside PAPER.attest its ids and labels), files with statements or stochastic evidence, or "
          "statements in quotes")
      ->required();
  add_output_folder(verb, "--out", o.directory, "folder in which the stochastic evidence is kept");
  add_budget(verb, o.budget);
  add_seed(verb, o.seed, "seed of our random streams; NumPy draws its own");
  add_threads(verb, o.threads);
  verb.footer(
      "Exit codes: 0 all intervals overlap; 1 some do not; 2 wrong usage or bad input; 4 nothing to repeat, or a law "
      "or "
      "function that the repeater does not know; 130 interrupted.");
}

}  // namespace

Verb repeat_verb() { return {"repeat", "estimate expectations again with NumPy and other random numbers", add_repeat}; }

}  // namespace attest::commands::definitions
