// Options that several verbs have, with one name, meaning and default each.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "simulations/command/output_files.hpp"

namespace attest::commands {

inline void add_budget(CLI::App& verb, std::string& budget,
                       const char* meaning = "quick, standard, deep or a number of seconds such as 90s") {
  verb.add_option("--budget", budget, meaning)->capture_default_str();
}

template <typename Seed>
void add_seed(CLI::App& verb, Seed& seed, const char* meaning = "seed of all random streams") {
  verb.add_option("--seed", seed, meaning)->capture_default_str();
}

inline void add_threads(CLI::App& verb, unsigned& threads,
                        const char* meaning = "threads, 0 for one per core; never changes a result") {
  verb.add_option("--threads", threads, meaning)->capture_default_str();
}

template <typename Path>
void add_data_dir(CLI::App& verb, Path& directory, const char* meaning = "where data sets are looked for first") {
  verb.add_option("--data-dir", directory, meaning);
}

/// Empty, or why the word after --json is not a file to write: it may be what the verb is to read.
inline std::string is_json_file_to_write(const std::string& word) {
  std::error_code ignored;
  if (word.empty()) return {};
  const bool is_there = std::filesystem::exists(word, ignored);
  if (!is_there && word.find_first_of("<>=") != std::string::npos)
    return fmt::format("'{}' was taken as the file to write: put --json last", word);
  if (std::string refusal = is_file_to_write(word); !refusal.empty()) return refusal;
  if (!std::filesystem::is_regular_file(word, ignored)) return {};
  char first = 0;
  std::ifstream stream(word);
  return stream >> first && first != '{' && first != '['
             ? fmt::format(
                   "{} was taken as the file to write, and holds something else: put --json last, or name "
                   "another file",
                   word)
             : "";
}

/// --json alone, or with "-", prints; --json FILE writes there.
inline void add_json(CLI::App& verb, bool& to_output, std::string& file) {
  verb.add_option_function<std::string>(
          "--json",
          [&to_output, &file](const std::string& given) {
            to_output = given.empty() || given == "-";
            file = to_output ? "" : given;
          },
          "machine-readable: one object on standard output, or in the file that is named")
      ->type_name(output_file_type)
      ->expected(0, 1)
      ->check(is_json_file_to_write)
      ->default_str("");
}

}  // namespace attest::commands
