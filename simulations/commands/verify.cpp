// attest verify: evidence files checked by a program that shares no code with this one.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "kernels/files/whole_file.hpp"
#include "reports/text/numbers.hpp"
#include "simulations/command/evidence/evidence_programs.hpp"
#include "simulations/command/evidence/python.hpp"
#include "simulations/command/verb.hpp"
#include "simulations/terminal/exit_codes.hpp"
#include "simulations/terminal/interrupt.hpp"

namespace attest::commands::definitions {
namespace {

struct VerifyOptions {
  std::vector<std::string> paths;  ///< evidence files, and folders that hold some
};

namespace fs = std::filesystem;

/// In a folder that attest check writes witnesses and certificates to, or that is called evidence.
bool in_named_folder(const fs::path& file) {
  constexpr std::array folders = {"witnesses", "certificates", "evidence"};
  const fs::path folder = fs::absolute(file).lexically_normal().parent_path();
  return std::any_of(folder.begin(), folder.end(), [&](const fs::path& part) {
    return std::find(folders.begin(), folders.end(), part.string()) != folders.end();
  });
}

struct Found {
  std::vector<std::string> files;
  std::size_t left_out = 0;  ///< of other formats
};

/// Thrown before the checker has begun.
struct Stopped {};

/// How the schema of an evidence file begins.
constexpr std::string_view mark = "\"attest-evidence-";

void add_directory(const fs::path& directory, Found& found) {
  std::vector<std::string> inside;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(directory)) {
    if (terminal::interrupt_flag()) throw Stopped{};
    if (!entry.is_regular_file() || entry.path().extension() != ".json") continue;
    // The checker takes none that is larger.
    constexpr std::uintmax_t most_bytes = std::uintmax_t{64} << 20;
    const bool is_evidence =
        entry.file_size() <= most_bytes && files::read_whole(entry.path()).find(mark) != std::string::npos;
    if (is_evidence) {
      inside.push_back(entry.path().string());
    } else if (in_named_folder(entry.path())) {
      ++found.left_out;
    }
  }
  std::sort(inside.begin(), inside.end());
  found.files.insert(found.files.end(), inside.begin(), inside.end());
}

int checked(const VerifyOptions& options) {
  Found found;
  for (const std::string& path : options.paths) {
    if (fs::is_directory(path)) {
      add_directory(path, found);
    } else if (fs::exists(path)) {
      files::require_an_end(path);
      // A leading minus would be an option of the checker.
      found.files.push_back(path.front() == '-' ? "./" + path : path);
    } else {
      throw std::invalid_argument(
          fmt::format("'{}' is not there; name evidence files or a folder that holds some", path));
    }
  }
  if (found.left_out > 0)
    fmt::print("{} of other formats {} left out; attest replay evaluates witnesses of attest check again\n",
               reports::counted(static_cast<std::int64_t>(found.left_out), "file"),
               found.left_out == 1 ? "was" : "were");
  if (found.files.empty())
    throw std::invalid_argument(
        fmt::format("no evidence files in {}; attest try STATEMENT --evidence FILE writes one", options.paths.front()));
  const std::string python = python_with("mpmath", "python3-mpmath");
  if (terminal::interrupt_flag()) throw Stopped{};
  std::vector<std::string> command = python_command(python, {}, std::string(evidence_checker()));
  command.insert(command.end(), found.files.begin(), found.files.end());
  std::fflush(stdout);
  return status_of(std::move(command), false);
}

/// Runs the checker on the files, and on every evidence file below the folders; files of other formats that stand where
/// evidence does (witnesses, certificates, evidence) are counted, not checked. Prints the checker's lines. Returns its
/// exit code: 0 all verified, 1 one is not, 2 one is not an evidence file, 4 none failed but one is not supported.
/// Errors: std::invalid_argument for a path that is not there, a folder without evidence, and where no python3 with
/// mpmath is found.
int verify(const VerifyOptions& options) {
  try {
    return checked(options);
  } catch (const Stopped&) {
    fmt::print(stderr, "attest: interrupted before any file was checked\n");
    return terminal::exit_interrupted;
  }
}

void add_verify(CLI::App& verb, Chosen& chosen) {
  auto& o = options_for<VerifyOptions>(verb, chosen, verify);
  verb.add_option("path", o.paths, "evidence files, or folders that hold some")->required();
  verb.footer(
      "Exit codes: 0 all verified; 1 at least one is not; 2 a file is not evidence, or wrong usage; 4 none failed, but "
      "a file uses something that the checker does not know.");
}

}  // namespace

Verb verify_verb() {
  return {"verify", "check evidence files by a program that shares no code with this one", add_verify};
}

}  // namespace attest::commands::definitions
