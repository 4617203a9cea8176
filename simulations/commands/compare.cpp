// attest compare: paired results by the sequential referee, or two records of attest check.
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "kernels/random/stream.hpp"
#include "reports/files/atomic_file.hpp"
#include "simulations/command/compare_losses.hpp"
#include "simulations/command/figure_options.hpp"
#include "simulations/command/output_files.hpp"
#include "simulations/command/record/record_changes.hpp"
#include "simulations/command/verb.hpp"
#include "simulations/terminal/exit_codes.hpp"

namespace attest::commands::definitions {
namespace {

namespace fs = std::filesystem;

/// Three variants with twelve seeds: one better by 0.05, one that differs from the first by noise alone.
int write_example(const fs::path& file) {
  const bool printed = file == "/dev/stdout";
  if (!printed) require_new(file);
  constexpr int seeds = 12;
  std::string csv = "variant,seed,loss\n";
  for (int seed = 1; seed <= seeds; ++seed) {
    random::Stream stream(1, random::stream_key("example of losses"), static_cast<std::uint64_t>(seed));
    const double common = 2 + 0.05 * stream.normal();  // what a seed does to all variants
    for (const auto& [variant, gain] : {std::pair{"softmax", 0.0}, {"twicing", 0.05}, {"bilateral", 0.0}})
      csv += fmt::format("{},{},{:.4f}\n", variant, seed, common - gain + 0.005 * stream.normal());
  }
  if (printed) {
    fmt::print("{}", csv);
    return terminal::exit_success;
  }
  reports::write_file_atomically(file, csv);
  fmt::print("{}: invented losses of three variants with {} seeds each; attest compare {}\n", file.string(), seeds,
             file.string());
  return terminal::exit_success;
}

bool is_within(const std::string& word, double least, double most) {
  double value = 0;
  const char* const end = word.data() + word.size();
  const auto [rest, error] = std::from_chars(word.data(), end, value);
  return error == std::errc() && rest == end && value >= least && value <= most;
}

/// Two tables are one of the mistakes that two inputs can be: a record begins as JSON does.
void refuse_tables(const std::vector<fs::path>& inputs) {
  for (const fs::path& input : inputs) {
    if (!fs::is_regular_file(input)) continue;
    std::ifstream stream(input);
    if (char first = 0; stream >> first && first != '{')
      throw std::invalid_argument(fmt::format(
          "{} is not a record of attest check: give two records, or one CSV file that holds the runs of all variants",
          input.string()));
  }
}

/// What chooses among paired results has nothing to choose between two records, nor does an input beside --example.
void refuse_what_is_not_used(const CompareOptions& options) {
  if (!options.example.empty() && !options.inputs.empty())
    throw std::invalid_argument(
        fmt::format("--example writes a file and compares nothing: leave {} out", options.inputs.front().string()));
  if (options.inputs.size() < 2) return;
  const CompareOptions none;
  for (const auto& [option, given] :
       {std::pair{"--metric", !options.metric.empty()}, std::pair{"--better", !options.better.empty()},
        std::pair{"--also", !options.also.empty()}, std::pair{"--baseline", !options.baseline.empty()},
        std::pair{"--range", !options.range.empty()}, std::pair{"--smallest", options.smallest != none.smallest},
        std::pair{"--level", options.level != none.level}, std::pair{"--figure", !options.figure.empty()}})
    if (given)
      throw std::invalid_argument(
          fmt::format("{} is for paired results in one CSV file, not for two records: leave it out", option));
}

/// Prints the verdict of every pair of variants, or what changed between two records, and writes both as JSON where
/// asked for. Returns the exit code: 0, and for records 1 when a verdict changed for the worse.
/// Errors: std::invalid_argument, reports::IoError, reports::MalformedResults.
int compare(CompareOptions options) {
  for (fs::path& input : options.inputs)
    if (input == "-") input = "/dev/stdin";
  refuse_what_is_not_used(options);
  if (!options.example.empty()) return write_example(options.example);
  if (options.inputs.empty())
    throw std::invalid_argument(
        "give a CSV file of paired results or two records of attest check; --example FILE writes "
        "a file to begin with");
  if (options.inputs.size() > 2)
    throw std::invalid_argument(fmt::format("inputs takes at most 2, and {} are given", options.inputs.size()));
  if (options.inputs.size() == 2) {
    refuse_tables(options.inputs);
    const bool worse =
        print_changes(read_record(options.inputs[0]), read_record(options.inputs[1]), Records::all, options.json);
    return worse ? terminal::exit_difference : terminal::exit_success;
  }
  if (fs::is_directory(options.inputs.front()))
    throw std::invalid_argument(
        fmt::format("{} is a folder: give two records of attest check to compare, or one CSV file of paired results",
                    options.inputs.front().string()));
  return compare_losses(options);
}

void add_compare(CLI::App& verb, Chosen& chosen) {
  auto& o = options_for<CompareOptions>(verb, chosen, compare);
  verb.add_option("inputs", o.inputs,
                  "a CSV file with the columns variant, seed and metrics; or two records of attest check, files or "
                  "folders");
  verb.add_option("--metric", o.metric, "the primary metric, where there are several");
  verb.add_option("--better", o.better,
                  "lower or higher; of losses and perplexities lower is known to be better, of anything else say it");
  verb.add_option("--also", o.also,
                  "a further metric, NAME:lower or NAME:higher, that shares the level; may be repeated")
      ->allow_extra_args(false);
  verb.add_option("--baseline", o.baseline, "compare with this variant only, instead of every pair");
  verb.add_option("--smallest", o.smallest, "the smallest difference of the primary metric that matters")
      ->check([](const std::string& word) {
        return is_within(word, 0, std::numeric_limits<double>::max())
                   ? std::string()
                   : fmt::format("'{}' is not a finite number from 0 on", word);
      });
  verb.add_option("--range", o.range,
                  "LOWER,UPPER of the primary metric, such as 0,1: also an interval without symmetry");
  verb.add_option("--level", o.level, "probability of any false verdict, in all comparisons together")
      ->check([](const std::string& word) {
        return is_within(word, 1e-9, 0.5) ? std::string()
                                          : fmt::format("'{}' is not a number from 1e-9 to 0.5, such as 0.01", word);
      })
      ->capture_default_str();
  add_output_file(verb, "--json", o.json, "also write the comparisons or changes to this file");
  CLI::Option* figure =
      verb.add_option("--figure", o.figure,
                      "also draw the primary metric's differences: .svg, .pdf, .tex (PGF/TikZ) and .csv of this name")
          ->type_name(output_figure_type);
  add_figure_options(verb, o.figures);
  for (const char* name : {"--figure-size", "--figure-font", "--line-width"}) verb.get_option(name)->needs(figure);
  add_output_file(verb, "--example", o.example,
                  "write invented losses of three variants to this file, or - for standard output, then exit");
  verb.footer(
      "Seeds may be added, and looked at after each, until a verdict stands.\n\n"
      "Exit codes: 0 compared, whatever the verdicts; 1 of two records, a verdict became weaker; 2 wrong usage "
      "or bad input; 3 a file failed.");
}

}  // namespace

Verb compare_verb() {
  return {"compare", "compare paired results by a sequential test, or two records of check", add_compare};
}

}  // namespace attest::commands::definitions
