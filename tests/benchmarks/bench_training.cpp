// Time of a training step, without evaluations and checkpoints: one line of JSON.
// bench_training SPEC [STEPS [THREADS]]; data are found as attest train finds them.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "kernels/parallel/blocks.hpp"
#include "simulations/experiment/read_experiment.hpp"
#include "simulations/terminal/freed_memory.hpp"
#include "simulations/terminal/leave.hpp"
#include "simulations/training/blas_kernels.hpp"
#include "simulations/training/devices.hpp"
#include "simulations/training/trainer.hpp"

int main(int argc, char** argv) try {
  using namespace attest;
  using Clock = std::chrono::steady_clock;
  if (argc < 2) {
    fmt::print(stderr, "usage: bench_training SPEC [STEPS [THREADS]]\n");
    return 2;
  }
  const int steps = argc > 2 ? std::atoi(argv[2]) : 60;
  const auto threads = argc > 3 ? static_cast<unsigned>(std::atoi(argv[3])) : parallel::hardware_threads();
  constexpr int warming = 5;
  training::use_fitting_blas_kernels(argv);
  terminal::keep_freed_memory();
  const experiment::Experiment experiment = experiment::read_experiment(argv[1], {});
  training::use_device(experiment.training, 0);
  const models::ModelSpec& model = experiment.variants.front().model;
  const tasks::Task task = tasks::load_task(experiment.data, model.kind, model.context, {});
  training::Trainer trainer(model, experiment.training, task, experiment.seed, threads);
  for (int s = 0; s < warming; ++s) trainer.step();
  std::vector<double> milliseconds;
  double loss = 0;
  const std::clock_t processor = std::clock();
  for (int s = 0; s < steps; ++s) {
    const auto begun = Clock::now();
    loss = trainer.step();
    milliseconds.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begun).count());
  }
  const double used = 1000.0 * static_cast<double>(std::clock() - processor) / CLOCKS_PER_SEC / steps;
  std::nth_element(milliseconds.begin(), milliseconds.begin() + steps / 2, milliseconds.end());
  const char* kernels = std::getenv("OPENBLAS_CORETYPE");
  fmt::print(
      "{{\"milliseconds\": {:.3f}, \"processor_milliseconds\": {:.3f}, \"threads\": {}, \"loss\": {:.4f}, "
      "\"blas_kernels\": \"{}\"}}\n",
      milliseconds[static_cast<std::size_t>(steps / 2)], used, threads, loss, kernels == nullptr ? "" : kernels);
  terminal::leave(0);
} catch (const std::exception& failure) {
  fmt::print(stderr, "bench_training: {}\n", failure.what());
  return 2;
}
