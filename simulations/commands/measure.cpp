#include "simulations/commands/measure.hpp"

#include <map>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/atomic_file.hpp"
#include "simulations/commands/exit_codes.hpp"
#include "simulations/measure/measure.hpp"

namespace attest::commands {
namespace {

struct Options {
  simulations::MeasureOptions measure;
  std::string size = "standard";
  std::string json;
};

simulations::MeasureSize size_named(const std::string& word) {
  static const std::map<std::string, simulations::MeasureSize> sizes = {
      {"quick", simulations::MeasureSize::quick},
      {"standard", simulations::MeasureSize::standard},
      {"deep", simulations::MeasureSize::deep}};
  const auto found = sizes.find(word);
  if (found == sizes.end())
    throw std::invalid_argument(fmt::format("unknown budget '{}': use quick, standard or deep", word));
  return found->second;
}

void measure(Options options) {
  options.measure.size = size_named(options.size);
  const nlohmann::json measurements = simulations::measure(options.measure);
  if (!options.json.empty()) reports::write_file_atomically(options.json, measurements.dump(1) + "\n");
  fmt::print("{}", simulations::measure_lines(measurements));
}

}  // namespace

void add_measure(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<Options>();
  app.add_option(
      "--data", options->measure.data,
      "a data set's name (attest data list) or a file: IDX images or text; both defaults when none is given");
  app.add_option("--budget", options->size, "quick, standard or deep")->capture_default_str();
  app.add_option("--seed", options->measure.seed, "seed of all random streams")->capture_default_str();
  app.add_option("--threads", options->measure.threads, "threads, 0 for one a core; never changes a result")
      ->capture_default_str();
  app.add_option("--data-dir", options->measure.data_dir, "where data sets are looked for first");
  app.add_option("--json", options->json, "also write the measurements to this file");
  app.callback([options, &exit_code] {
    measure(*options);
    exit_code = exit_as_recorded;
  });
}

}  // namespace attest::commands
