// The program behind `attest measure --checkpoint`: it needs LibTorch, as training does.
#include <cstdio>
#include <map>
#include <mutex>
#include <stdexcept>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/files/atomic_file.hpp"
#include "reports/pages/training_report.hpp"
#include "reports/text/numbers.hpp"
#include "simulations/command/usage.hpp"
#include "simulations/measure/trained/trained_measurements.hpp"
#include "simulations/measure/untrained/measure.hpp"
#include "simulations/terminal/end_on_interrupt.hpp"
#include "simulations/terminal/exit_codes.hpp"
#include "simulations/terminal/leave.hpp"
#include "simulations/terminal/progress.hpp"
#include "simulations/terminal/run_program.hpp"
#include "simulations/training/blas_kernels.hpp"

namespace {

namespace fs = std::filesystem;
using namespace attest;

struct Options {
  fs::path checkpoint, data_dir, json;
  std::string budget = "quick";
  std::uint64_t seed = 1;
  unsigned threads = 0;
};

/// Measures, prints, writes JSON, and renews the training's report where there is one.
int run(const Options& options) {
  static const std::map<std::string, attention::Index> sizes = {{"quick", 32}, {"standard", 128}, {"deep", 1024}};
  const auto size = sizes.find(options.budget);
  if (size == sizes.end())
    throw std::invalid_argument(fmt::format("unknown budget '{}': use quick, standard or deep", options.budget));
  const checkpoints::LoadedModel loaded = checkpoints::load_model(options.checkpoint);
  const models::ModelSpec& spec = loaded.model.spec();
  const tasks::Task task = tasks::load_task(loaded.experiment.data, spec.kind, spec.context, options.data_dir);
  if (!(task.shape == loaded.model.shape()))
    throw std::invalid_argument(fmt::format("{} was trained on other data than {} is now: shapes or classes differ",
                                            options.checkpoint.string(), loaded.experiment.data.name));
  const measure::TrainedSample sample{loaded, task, size->second, options.seed, options.threads};
  const auto save = [&](const nlohmann::json& measured) {
    if (!options.json.empty()) reports::write_file_atomically(options.json, measured.dump(1) + "\n");
    fmt::print("{}", measure::measure_lines(measured.at("measurements")));
  };
  terminal::Progress progress;
  std::mutex lock;
  nlohmann::json so_far = {{"measurements", nlohmann::json::array()}};
  const terminal::EndOnInterrupt end_on_interrupt([&] {
    const std::lock_guard guard(lock);
    const std::size_t count = so_far.at("measurements").size();
    so_far["measurements"].push_back(
        measure::skipped_measurement("the rest", "interrupted before everything was measured"));
    save(so_far);
    std::fflush(stdout);
    fmt::print(stderr, "attest measure: interrupted; what was finished, {}, is printed{}\n",
               reports::counted(static_cast<std::int64_t>(count), "measurement"),
               options.json.empty() ? "" : " and in " + options.json.string());
  });
  const nlohmann::json measured = measure::measure_trained(
      sample, options.checkpoint.string(), [&](const nlohmann::json& finished, std::size_t total) {
        const std::lock_guard guard(lock);
        so_far = finished;
        const nlohmann::json& measurements = so_far.at("measurements");
        progress.update(measurements.size(), total, measurements.back().at("id").get<std::string>());
      });
  save(measured);
  const fs::path directory = fs::absolute(options.checkpoint).parent_path().parent_path();
  if (!fs::exists(directory / reports::training_file_name)) return terminal::exit_success;
  reports::write_file_atomically(directory / reports::measured_folder_name / (sample.stem("") + ".json"),
                                 measured.dump(1) + "\n");
  const reports::WrittenReport written = reports::write_training_report(directory);
  for (const std::string& remark : written.remarks) fmt::print(stderr, "attest measure: {}\n", remark);
  fmt::print("report: {}\n", written.page.string());
  return terminal::exit_success;
}

}  // namespace

int main(int argc, char** argv) {
  training::use_fitting_blas_kernels(argv);
  CLI::App app("What the theorems assume and conclude, on a trained model.", "attest measure");
  Options options;
  app.add_option("--checkpoint", options.checkpoint, "a model that attest train wrote: DIR/checkpoints/RUN.safetensors")
      ->required();
  app.add_option("--budget", options.budget, "quick, standard or deep: 32, 128 or 1024 examples")
      ->capture_default_str();
  app.add_option("--seed", options.seed, "seed of all random streams")->capture_default_str();
  app.add_option("--threads", options.threads, "threads, 0 for one per core; never changes a result")
      ->capture_default_str();
  app.add_option("--data-dir", options.data_dir, "where data sets are looked for first");
  app.add_option("--json", options.json, "also write the measurements to this file");
  app.footer(
      "Exit codes: 0 done; 2 wrong usage or bad input; 3 a file failed; 130 interrupted (what was measured is saved).");
  commands::refuse_what_is_no_number(app);
  terminal::leave(terminal::run_program(app, [&] {
    commands::parse(app, argc, argv);
    return run(options);
  }));
}
