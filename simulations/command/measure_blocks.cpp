#include "simulations/command/measure_blocks.hpp"

#include <chrono>
#include <cmath>
#include <stdexcept>
#include <variant>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "kernels/digest/sha256.hpp"
#include "kernels/parallel/blocks.hpp"
#include "reports/files/atomic_file.hpp"
#include "reports/text/numbers.hpp"
#include "simulations/data/catalogue/catalogue.hpp"
#include "simulations/measure/untrained/class_clusters.hpp"
#include "simulations/measure/untrained/latents.hpp"
#include "simulations/outcomes/comparison.hpp"
#include "simulations/outcomes/shipped_result.hpp"
#include "simulations/terminal/commit.hpp"
#include "simulations/terminal/exit_codes.hpp"
#include "simulations/terminal/machine.hpp"

namespace attest::commands {
namespace {

using nlohmann::ordered_json;

constexpr double level = 0.01;
constexpr const char* primary = "same_class";

ordered_json ends(const statistics::Interval& interval) {
  const auto end = [](double value) { return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr); };
  return {end(interval.lower), end(interval.upper)};
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

ordered_json json_of_block(const measure::BlockVariant& variant, std::int64_t runs) {
  ordered_json metrics = ordered_json::object();
  for (const auto& [name, values] : variant.metrics)
    metrics[name] = {{"mean", mean_of(values)},
                     {"interval", ends(outcomes::mean_interval(values, level))},
                     {"interval_class", "asymptotic"},
                     {"values", values}};
  return {{"name", variant.name},
          {"seeds", runs},
          {"metrics", std::move(metrics)},
          {"attention", variant.attention},
          {"residual", "standard"}};
}

/// Every network against the projection that it begins with, on every metric.
ordered_json comparisons_of(const std::vector<measure::BlockVariant>& variants) {
  ordered_json all = ordered_json::array();
  const measure::BlockVariant& baseline = variants.front();
  outcomes::ComparisonRule rule{.more_is_better = true, .level = level};
  rule.comparisons = (variants.size() - 1) * baseline.metrics.size();
  for (const auto& [metric, before] : baseline.metrics)
    for (const measure::BlockVariant& variant : variants) {
      if (&variant == &baseline) continue;
      rule.more_is_better = metric != "nearest_distance";
      const outcomes::Difference d = outcomes::compare(variant.metrics.at(metric), before, rule);
      all.push_back({{"a", variant.name},
                     {"b", baseline.name},
                     {"metric", metric},
                     {"difference", d.mean},
                     {"interval", ends(d.interval)},
                     {"interval_class", "symmetric"},
                     {"verdict", d.verdict},
                     {"pairs", d.pairs}});
    }
  return all;
}

std::string digest_of(const data::IdxImages& images, const std::vector<std::uint8_t>& labels) {
  std::string bytes(images.pixels.begin(), images.pixels.end());
  bytes.append(labels.begin(), labels.end());
  return digest::sha256(bytes);
}

}  // namespace

int measure_blocks(const measure::MeasureOptions& options, std::int64_t runs, const std::filesystem::path& directory) {
  if (options.data.empty()) throw std::invalid_argument("--blocks takes a data set of images: name it with --data");
  if (runs < 2) throw std::invalid_argument(fmt::format("--runs {}: give two or more, to have an interval", runs));
  const auto begun = std::chrono::steady_clock::now();
  const data::Data data = data::load_data(options.data, options.data_dir, true);
  const auto* images = std::get_if<data::IdxImages>(&data.content);
  if (images == nullptr)
    throw std::invalid_argument(
        fmt::format("--blocks takes grey images with labels, and {} is none; try fashion-mnist", options.data));
  const auto variants = measure::run_blocks(data.name, *images, data.labels, {options.seed, options.threads, runs});
  const measure::UnrolledNetwork network;
  ordered_json summary = {
      {"schema", "attest-training-1"},
      {"experiment", "clusters-" + data.name},
      {"title", fmt::format("Untrained blocks and the classes of images ({})", data.name)},
      {"size", "untrained"},
      {"seed", options.seed},
      {"metric", primary},
      {"variants", ordered_json::array()},
      {"comparisons", comparisons_of(variants)},
      {"level", level},
      {"assumption", outcomes::paired_assumption},
      {"data", fmt::format("on {}: {} runs of {} images each, projected at random to {} features, and {} blocks with "
                           "kappa = {} and eta = {}; nothing is trained",
                           data.name, runs, measure::images_of_a_run, network.features, measure::blocks_of_the_paper,
                           network.kappa, network.eta)},
      {"data_set", data.name},
      {"model", {{"layers", measure::blocks_of_the_paper}, {"width", network.features}, {"heads", 1}}}};
  for (const measure::BlockVariant& variant : variants) {
    summary["variants"].push_back(json_of_block(variant, runs));
    fmt::print("{}:", variant.name);
    for (const auto& [metric, values] : variant.metrics) fmt::print(" {} {:.3f}", metric, mean_of(values));
    fmt::print("\n");
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begun;
  summary["seconds"] = seconds.count();
  const unsigned threads = options.threads == 0 ? parallel::hardware_threads() : options.threads;
  summary["provenance"] =
      outcomes::json_of({.command = fmt::format("attest measure --data {} --blocks DIR --runs {} --seed {}",
                                                options.data, runs, options.seed),
                         .commit = terminal::commit(),
                         .machine = fmt::format("{} ({})", terminal::processor(), reports::counted(threads, "thread")),
                         .date = terminal::today(),
                         .data_digest = digest_of(*images, data.labels)});
  const std::filesystem::path file = directory / "summary.json";
  std::filesystem::create_directories(directory);
  reports::write_file_atomically(file, summary.dump(1) + "\n");
  fmt::print("summary: {}\n", file.string());
  return terminal::exit_success;
}

}  // namespace attest::commands
