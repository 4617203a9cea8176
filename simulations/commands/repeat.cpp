#include "simulations/commands/repeat.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "kernels/random/stream.hpp"
#include "reports/files/atomic_file.hpp"
#include "simulations/commands/judging_options.hpp"
#include "simulations/commands/python.hpp"
#include "simulations/commands/statement_source.hpp"
#include "simulations/commands/try.hpp"
#include "simulations/commands/verify.hpp"
#include "simulations/terminal/exit_codes.hpp"
#include "theorems/evidence/stochastic_file.hpp"
#include "theorems/language/read.hpp"

namespace attest::commands {
namespace {

namespace fs = std::filesystem;

/// A folder of its own that is gone afterwards, or the one that was asked for.
class Folder {
 public:
  explicit Folder(const std::string& kept)
      : kept_(!kept.empty()),
        path_(kept_ ? fs::path(kept) : fs::temp_directory_path() / fmt::format("attest-repeat-{}", ::getpid())) {
    fs::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    if (!kept_) fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  bool kept_;
  fs::path path_;
};

bool is_stochastic(const std::string& argument) {
  std::error_code ignored;
  if (argument.size() >= 4096 || !fs::is_regular_file(argument, ignored)) return false;
  return reports::read_whole_file(argument).find("\"attest-stochastic-") != std::string::npos;
}

/// The file of each statement's expectations; what has none is said.
int write_files(const RepeatOptions& options, const fs::path& folder, std::vector<std::string>& files) {
  int code = terminal::exit_success;
  const referee::JudgeOptions judging = judging_options(options.budget, options.seed, options.threads, false);
  for (const std::string& argument : options.statements) {
    if (is_stochastic(argument)) {
      files.push_back(argument);
      continue;
    }
    for (const NamedStatement& each : statements_named(argument)) {
      engine::Context context = evidence_context(options.seed, options.threads);
      context.key = random::stream_key(language::normal_form(each.statement));
      const referee::Outcome outcome = referee::judge(each.statement, judging);
      const evidence::Evidence made = evidence::stochastic_for(each.statement, outcome, each.heading, context);
      if (!made.document) {
        fmt::print("{}: nothing to repeat: {}\n", each.heading.id, made.why_not);
        code = exit_undecided;
        continue;
      }
      std::string name = each.heading.id;
      std::replace(name.begin(), name.end(), '/', '-');
      files.push_back((folder / (name + ".json")).string());
      reports::write_file_atomically(files.back(), made.document->dump(1, ' ', true) + "\n");
    }
  }
  return code;
}

}  // namespace

int repeat(const RepeatOptions& options) {
  const Folder folder(options.directory);
  std::vector<std::string> files;
  try {
    const int code = write_files(options, folder.path(), files);
    if (files.empty()) return code;
    std::vector<std::string> command =
        python_command(python_with("mpmath, numpy", "python3-mpmath and python3-numpy"),
                       {{"check_evidence", std::string(evidence_checker())}}, std::string(evidence_repeater()));
    command.insert(command.end(), files.begin(), files.end());
    std::fflush(stdout);
    const int status = status_of(std::move(command), false);
    return status == 0 ? code : status;
  } catch (const engine::Interrupted&) {
    fmt::print(stderr, "attest: interrupted\n");
    return terminal::exit_interrupted;
  }
}

}  // namespace attest::commands
