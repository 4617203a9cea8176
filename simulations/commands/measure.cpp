// attest measure: the propositions' quantities on attention over real data.
#include "simulations/measure/untrained/measure.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <mutex>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/files/atomic_file.hpp"
#include "reports/text/numbers.hpp"
#include "simulations/command/common_options.hpp"
#include "simulations/command/hand_over.hpp"
#include "simulations/command/measure_blocks.hpp"
#include "simulations/command/verb.hpp"
#include "simulations/terminal/end_on_interrupt.hpp"
#include "simulations/terminal/exit_codes.hpp"
#include "simulations/terminal/progress.hpp"

namespace attest::commands::definitions {
namespace {

measure::MeasureSize size_named(const std::string& word) {
  static const std::map<std::string, measure::MeasureSize> sizes = {{"quick", measure::MeasureSize::quick},
                                                                    {"standard", measure::MeasureSize::standard},
                                                                    {"deep", measure::MeasureSize::deep}};
  const auto found = sizes.find(word);
  if (found == sizes.end())
    throw std::invalid_argument(fmt::format("unknown budget '{}': use quick, standard or deep", word));
  return found->second;
}

/// Measures at `size` ("quick", "standard" or "deep"), prints the tables, and writes them to the file `json` unless it
/// is empty. Returns the exit code. Errors: std::invalid_argument, data::MissingData, reports::IoError.
int measure(measure::MeasureOptions options, const std::string& size, const std::string& json) {
  options.size = size_named(size);
  terminal::Progress progress;
  std::mutex lock;
  nlohmann::json finished = nlohmann::json::array();
  options.finished = [&](const nlohmann::json& entry, std::size_t total) {
    const std::lock_guard guard(lock);
    finished.push_back(entry);
    progress.update(finished.size(), std::max(total, finished.size()), entry.at("id").get<std::string>());
  };
  const auto save = [&](const nlohmann::json& measurements) {
    fmt::print("{}", measure::measure_lines(measurements));  // first: a full disk must not cost what was measured
    if (!json.empty()) reports::write_file_atomically(json, measurements.dump(1) + "\n");
  };
  const terminal::EndOnInterrupt end_on_interrupt([&] {
    const std::lock_guard guard(lock);
    const std::size_t count = finished.size();
    finished.push_back(measure::skipped_measurement("the rest", "interrupted before everything was measured"));
    save(finished);
    std::fflush(stdout);
    fmt::print(stderr, "attest: interrupted; what was finished, {}, is printed{}\n",
               reports::counted(static_cast<std::int64_t>(count), "measurement"),
               json.empty() ? "" : " and in " + json);
  });
  save(measure::measure(options));
  return terminal::exit_success;
}

/// The same on a trained model, by attest_measure. Errors: std::invalid_argument when `options` names data, which a
/// checkpoint does itself; as hand_over.
int measure_checkpoint(const std::string& checkpoint, const measure::MeasureOptions& options, const std::string& size,
                       const std::string& json) {
  if (!options.data.empty())
    throw std::invalid_argument("--checkpoint names its own data; leave --data out, or give --data-dir");
  std::vector<std::string> words = {"--checkpoint", checkpoint,
                                    "--budget",     size,
                                    "--seed",       std::to_string(options.seed),
                                    "--threads",    std::to_string(options.threads)};
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) words.insert(words.end(), {option, value});
  };
  add("--data-dir", options.data_dir.string());
  add("--json", json);
  return hand_over("attest_measure", words);
}

struct MeasureVerb {
  measure::MeasureOptions measure;
  std::string budget = "standard", json_file, checkpoint, blocks;
  std::int64_t runs = 64;
};

void add_measure(CLI::App& verb, Chosen& chosen) {
  auto& o = options_for<MeasureVerb>(verb, chosen, [](const MeasureVerb& given) {
    if (!given.blocks.empty()) return measure_blocks(given.measure, given.runs, given.blocks);
    if (!given.checkpoint.empty())
      return measure_checkpoint(given.checkpoint, given.measure, given.budget, given.json_file);
    return measure(given.measure, given.budget, given.json_file);
  });
  verb.add_option(
      "--data", o.measure.data,
      "a data set's name (attest data list) or a file: IDX images or text; both defaults when none is given");
  add_budget(verb, o.budget, "quick, standard or deep");
  add_seed(verb, o.measure.seed);
  add_threads(verb, o.measure.threads);
  add_data_dir(verb, o.measure.data_dir);
  add_output_file(verb, "--json", o.json_file, "also write the measurements to this file");
  CLI::Option* checkpoint = verb.add_option(
      "--checkpoint", o.checkpoint,
      "a trained model instead, DIR/checkpoints/RUN.safetensors: noise, spectra, Jacobians, token similarity");
  CLI::Option* blocks = add_output_folder(
      verb, "--blocks", o.blocks,
      "instead, whether untrained blocks cluster the images of --data by class: DIR/summary.json for check --training");
  blocks->excludes(checkpoint)->excludes(verb.get_option("--json"))->excludes(verb.get_option("--budget"));
  verb.add_option("--runs", o.runs, "runs of --blocks, each with images and a projection of its own")
      ->needs(blocks)
      ->capture_default_str();
  verb.footer(
      "--json writes one array of measurements, and with --checkpoint an object with that array as `measurements`. A "
      "measurement is {id, title, text, tables, figures, quantities}: a table {caption, columns, rows}, a figure "
      "{name, "
      "title, caption, x, y, series, references, heat}, a quantity {name, where, estimate, interval, level, units}; or "
      "{id, title, skipped} where data are missing (README, \"On real input\").\n\n"
      "Exit codes: 0 done; 2 wrong usage or bad input; 3 a file failed; 130 interrupted (what was measured is "
      "printed).");
}

}  // namespace

Verb measure_verb() {
  return {"measure", "measure the propositions' quantities on attention over real data", add_measure};
}

}  // namespace attest::commands::definitions
