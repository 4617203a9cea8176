// Options that several verbs have, with one name, meaning and default each.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

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

/// --json alone prints; --json FILE writes there.
inline void add_json(CLI::App& verb, bool& to_output, std::string& file) {
  verb.add_option_function<std::string>(
          "--json",
          [&to_output, &file](const std::string& given) {
            to_output = given.empty();
            file = given;
          },
          "machine-readable: one object on standard output, or in the file that is named")
      ->expected(0, 1)
      ->check(names_no_folder)
      ->default_str("");
}

}  // namespace attest::commands
