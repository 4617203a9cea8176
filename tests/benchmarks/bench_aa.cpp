// How often a variant is called different from itself, really trained, when one looks after every seed.
//   bench_aa [comparisons [most seeds [threads]]]
// Each comparison trains one tiny language model with two streams of seeds, a run of each stream a pair, none of them
// shared with another comparison: starts, batches and so the losses differ, the law is one. After every pair the
// verdict of `attest train` is asked for (simulations/outcomes/comparison.hpp), and the first call other than
// "undecided" or "no difference" is false. Beside it, on the same runs, what is usual: Student's t at the same level
// after every pair. Clopper's and Pearson's interval at 99.9 percent for the rates. The same call gives the same table
// for any number of threads, on the same processor and BLAS.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "kernels/parallel/blocks.hpp"
#include "kernels/random/stream.hpp"
#include "kernels/statistics/clopper_pearson.hpp"
#include "kernels/statistics/welford.hpp"
#include "simulations/outcomes/comparison.hpp"
#include "simulations/terminal/freed_memory.hpp"
#include "simulations/training/blas_kernels.hpp"
#include "simulations/training/gates.hpp"
#include "simulations/training/skill_cell.hpp"

namespace attest::benchmarks {
namespace {

using outcomes::ComparisonRule;

constexpr double level = 0.01;
constexpr double smallest = 0.02;  ///< nats, of the row that declares a smallest difference that matters
constexpr int letters = 3;

/// A text whose every letter is the one before it or the next: log 2 nats are what the best model loses.
tasks::Task noisy_circle() {
  tasks::Task task;
  task.context = 4;
  task.shape.classes = letters;
  random::Stream stream(1, random::stream_key("bench_aa"), 0);
  std::int32_t letter = 0;
  for (int i = 0; i < 1200; ++i) {
    letter = (letter + static_cast<std::int32_t>(stream.integer(2))) % letters;
    (i < 800 ? task.train : task.test).tokens.push_back(letter);
  }
  task.validation.tokens = task.test.tokens;
  return task;
}

experiment::Experiment smallest_that_trains() {
  experiment::Experiment e;
  models::ModelSpec model;
  model.width = 4;
  model.heads = 1;
  model.feedforward = 4;
  model.context = 4;
  model.layers.resize(1);
  e.variants = {{"softmax", model, 0}};
  e.training.steps = 12;
  e.training.batch = 4;
  e.training.learning_rate = 0.02;
  e.training.schedule = experiment::TrainingSpec::Schedule::constant;
  return e;
}

/// A metric of the runs of one comparison, pair by pair.
struct Streams {
  std::vector<double> a, b;
};

/// [comparison]
struct Trained {
  std::vector<Streams> losses, accuracies;
};

Trained train_all(int comparisons, int seeds, unsigned threads) {
  const tasks::Task task = noisy_circle();
  const experiment::Experiment experiment = smallest_that_trains();
  const std::atomic<bool> stop = false;
  Trained all;
  all.losses.resize(static_cast<std::size_t>(comparisons));
  all.accuracies.resize(static_cast<std::size_t>(comparisons));
  parallel::for_each_block(comparisons, threads, [&](std::int64_t c) {
    Streams &loss = all.losses[static_cast<std::size_t>(c)], &accuracy = all.accuracies[static_cast<std::size_t>(c)];
    for (int s = 0; s < seeds; ++s)
      for (const bool second : {false, true}) {
        const auto seed = static_cast<std::uint64_t>(2 * (c * seeds + s) + (second ? 1 : 0)) + 1;
        const auto run = training::train_cell(experiment, task, experiment.variants.front(), seed, stop);
        (second ? loss.b : loss.a).push_back(run->at("test_loss"));
        (second ? accuracy.b : accuracy.a).push_back(run->at("test_accuracy"));
      }
  });
  statistics::Welford loss, difference;
  for (const Streams& one : all.losses)
    for (std::size_t s = 0; s < one.a.size(); ++s) {
      loss.add(one.a[s]);
      difference.add(one.a[s] - one.b[s]);
    }
  fmt::print(
      "test loss {:.3f} on average after {} steps, from {:.3f} for knowing nothing and {:.3f} at best; pairs differ "
      "by {:.4f} (deviation)\n\n",
      loss.mean(), experiment.training.steps, training::loss_of_guessing(task), std::log(2.0),
      std::sqrt(difference.variance()));
  return all;
}

struct Outcome {
  bool called = false, no_difference = false;
  std::size_t pairs = 0;  ///< until a verdict, or all
};

/// Looks after every pair and stops at the first verdict. Intervals never widen, so a verdict that was once there
/// stays: where the last look sees none no other did, and they need not be asked.
Outcome look_at(const Streams& streams, const ComparisonRule& rule) {
  if (outcomes::compare(streams.a, streams.b, rule).verdict == "undecided") return {false, false, streams.a.size()};
  std::vector<double> a, b;
  for (std::size_t s = 0; s < streams.a.size(); ++s) {
    a.push_back(streams.a[s]);
    b.push_back(streams.b[s]);
    const std::string verdict = outcomes::compare(a, b, rule).verdict;
    if (verdict == "undecided") continue;
    const bool none = verdict.starts_with("no difference");
    return {!none, none, a.size()};
  }
  return {false, false, a.size()};
}

/// The same by Student's t, which holds for one look alone.
Outcome look_by_student(const Streams& streams) {
  std::vector<double> differences;
  for (std::size_t s = 0; s < streams.a.size(); ++s) {
    differences.push_back(streams.a[s] - streams.b[s]);
    if (differences.size() > 1 && !outcomes::mean_interval(differences, level).contains(0))
      return {true, false, differences.size()};
  }
  return {false, false, differences.size()};
}

void print(const std::string& what, const std::vector<Streams>& all, unsigned threads,
           const std::function<Outcome(const Streams&)>& look) {
  std::vector<Outcome> outcomes(all.size());
  parallel::for_each_block(static_cast<std::int64_t>(all.size()), threads, [&](std::int64_t c) {
    outcomes[static_cast<std::size_t>(c)] = look(all[static_cast<std::size_t>(c)]);
  });
  const auto called = std::ranges::count_if(outcomes, &Outcome::called);
  const auto none = std::ranges::count_if(outcomes, &Outcome::no_difference);
  const statistics::Interval rate =
      statistics::clopper_pearson(static_cast<std::uint64_t>(called), outcomes.size(), 1e-3);
  statistics::Welford pairs;
  for (const Outcome& one : outcomes) pairs.add(static_cast<double>(one.pairs));
  fmt::print("{:<44} {:>5} {:>6}  {:.4f} [{:.4f}, {:.4f}] {:>13} {:>6.1f}\n", what, level, called,
             static_cast<double>(called) / static_cast<double>(outcomes.size()), rate.lower, rate.upper, none,
             pairs.mean());
  std::fflush(stdout);
}

}  // namespace
}  // namespace attest::benchmarks

int main(int argc, char** argv) {
  using namespace attest::benchmarks;
  const int comparisons = argc > 1 ? std::atoi(argv[1]) : 1000;
  const int seeds = argc > 2 ? std::atoi(argv[2]) : 40;
  const auto threads = static_cast<unsigned>(argc > 3 ? std::atoi(argv[3]) : 1);
  attest::training::use_fitting_blas_kernels(argv);
  attest::terminal::keep_freed_memory();
  fmt::print("{} comparisons of a trained variant with itself over {} pairs of seeds, looked at after every one\n",
             comparisons, seeds);
  const Trained trained = train_all(comparisons, seeds, threads);
  fmt::print("{:<44} {:>5} {:>6}  rate [99.9 % interval]  {:>13} {:>6}\n", "referee, metric", "level", "false",
             "no difference", "pairs");
  print("attest, loss", trained.losses, threads, [](const Streams& s) { return look_at(s, {.level = level}); });
  print(fmt::format("attest, loss, smallest = {}", smallest), trained.losses, threads,
        [](const Streams& s) { return look_at(s, {.level = level, .smallest = smallest}); });
  print("attest, accuracy", trained.accuracies, threads,
        [](const Streams& s) { return look_at(s, {.more_is_better = true, .level = level}); });
  print("Student's t after every pair, loss", trained.losses, threads, look_by_student);
  print("Student's t after every pair, accuracy", trained.accuracies, threads, look_by_student);
}
