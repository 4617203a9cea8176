#include "simulations/commands/measure.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <mutex>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/files/atomic_file.hpp"
#include "simulations/commands/train.hpp"
#include "simulations/terminal/end_on_interrupt.hpp"
#include "simulations/terminal/exit_codes.hpp"
#include "simulations/terminal/progress.hpp"

namespace attest::commands {
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

}  // namespace

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
    if (!json.empty()) reports::write_file_atomically(json, measurements.dump(1) + "\n");
    fmt::print("{}", measure::measure_lines(measurements));
  };
  const terminal::EndOnInterrupt end_on_interrupt([&] {
    const std::lock_guard guard(lock);
    const std::size_t count = finished.size();
    finished.push_back(measure::skipped_measurement("the rest", "interrupted before everything was measured"));
    save(finished);
    std::fflush(stdout);
    fmt::print(stderr, "attest: interrupted; what was finished, {} measurement{}, is printed{}\n", count,
               count == 1 ? "" : "s", json.empty() ? "" : " and in " + json);
  });
  save(measure::measure(options));
  return terminal::exit_success;
}

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

}  // namespace attest::commands
