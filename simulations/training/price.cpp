#include "simulations/training/price.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include <fmt/format.h>

#include "kernels/random/stream.hpp"
#include "reports/text/numbers.hpp"
#include "simulations/data/catalogue/catalogue.hpp"
#include "simulations/outcomes/comparison.hpp"
#include "simulations/outcomes/summary.hpp"
#include "simulations/training/gates.hpp"
#include "simulations/training/trainer.hpp"

namespace attest::training {

using experiment::VariantSpec;
using outcomes::comparisons_of;
using outcomes::least_seeds;
using tasks::load_task;
namespace {

using Clock = std::chrono::steady_clock;

constexpr double longest_step = 10, longest_evaluation = 20;  // seconds

template <class Work>
double seconds_of(Work work) {
  const auto begun = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - begun).count();
}

/// Seconds of a step: the mean over as many as fit into a second or two, after one to warm up.
double step_seconds(Trainer& trainer) {
  constexpr double enough = 1;
  constexpr int most_steps = 50;
  trainer.step();
  double seconds = 0;
  int steps = 0;
  for (; steps < most_steps && seconds < enough; ++steps) seconds += seconds_of([&] { trainer.step(); });
  return seconds / steps;
}

/// The training with one example for each shard.
TrainingSpec smallest(TrainingSpec training) {
  training.batch = training.shards;
  training.accumulate = 1;
  return training;
}

/// Evaluations of a part that a run makes, in passes through it, and the seconds of one.
double evaluation_seconds(const Trainer& trainer, const Part& part, double examples, double there,
                          double seconds_an_example) {
  if (examples == 0) return 0;
  const double bound = examples * seconds_an_example;
  if (examples != there || bound > longest_evaluation) return bound;
  return seconds_of([&] { trainer.evaluate(part); });
}

VariantPrice price_of_run(const Experiment& e, const VariantSpec& variant, const Task& task, const PartSizes& sizes,
                          unsigned threads) {
  const TrainingSpec& how = e.training;
  const auto examples = static_cast<double>(how.batch * how.accumulate);
  VariantPrice price{.name = variant.name};
  Trainer small(variant.model, smallest(how), task, e.seed, threads);
  const double one = step_seconds(small), share = static_cast<double>(how.shards) / examples;
  price.step_seconds = one / share;
  price.measured_share = share;
  if (price.step_seconds < longest_step) {
    Trainer whole(variant.model, how, task, e.seed, threads);
    price.step_seconds = step_seconds(whole);
    price.measured_share = 1;
  }
  const double an_example = price.step_seconds / examples;
  const Index looks = how.evaluate_every == 0 ? 0 : (how.steps - 1) / how.evaluate_every;
  const double of_validation = evaluation_seconds(small, task.validation, sizes.validation,
                                                  static_cast<double>(task.examples(task.validation)), an_example),
               of_test = evaluation_seconds(small, task.test, sizes.test, static_cast<double>(task.examples(task.test)),
                                            an_example);
  price.evaluation_seconds = static_cast<double>(looks + 2) * of_validation + of_test;  // two at the end
  price.run_seconds = static_cast<double>(how.steps) * price.step_seconds + price.evaluation_seconds;
  return price;
}

std::string minutes(double seconds) {
  return seconds < 600 ? fmt::format("{:.2g} minutes", seconds / 60)
                       : fmt::format("{} minutes", reports::readable_count(seconds / 60));
}

}  // namespace

Price price_of(const Experiment& e, const Task& task, const PartSizes& sizes, unsigned threads) {
  Price price;
  const auto runs = static_cast<std::size_t>(e.seeds) * e.variants.size() * std::max<std::size_t>(1, e.settings.size());
  price.at_once = static_cast<unsigned>(std::min<std::size_t>(threads, runs));
  for (const VariantSpec& variant : e.variants) {
    price.variants.push_back(price_of_run(e, variant, task, sizes, std::max(1U, threads / price.at_once)));
    price.seed_seconds += price.variants.back().run_seconds *
                          static_cast<double>(std::max<std::size_t>(1, e.settings.size())) / price.at_once;
  }
  return price;
}

std::pair<Task, PartSizes> stand_in_for(const Experiment& e) {
  const ModelSpec& model = e.variants.front().model;
  if (!traits_of(model.kind).classifies_images())
    throw std::invalid_argument(
        fmt::format("{} ([data]): {} is not here, and without the data a step can be measured on images only",
                    e.data_place, e.data.name));
  // ImageNet-1k: 1 281 167 training images, of which a tenth is held out, and 50 000 of the published validation part.
  constexpr PartSizes imagenet{128117, 50000};
  constexpr Index side = 224, classes = 1000, images = 16;
  Task task;
  task.kind = model.kind;
  task.shape.classes = classes;
  task.shape.rows = task.shape.columns = side;
  task.shape.channels = 3;
  task.channels.assign(3, {0.5, 0.25});
  task.augmentation = e.data.augmentation;
  random::Stream stream(1, random::stream_key("stand-in"), 0);
  data::LabelledImages& train = task.train.images;
  train.count = images;
  train.channels = 3;
  train.rows = train.columns = static_cast<std::size_t>(side);
  for (Index i = 0; i < images * 3 * side * side; ++i)
    train.pixels.push_back(static_cast<std::uint8_t>(stream.integer(256)));
  for (Index i = 0; i < images; ++i)
    train.labels.push_back(static_cast<std::int32_t>(stream.integer(static_cast<std::uint64_t>(classes))));
  return {std::move(task), imagenet};
}

std::string priced(const Experiment& e, const std::filesystem::path& data_dir, unsigned threads) {
  try {
    const Task task = load_task(e, data_dir);
    require_buildable(e, task);
    const PartSizes sizes{static_cast<double>(task.examples(task.validation)),
                          static_cast<double>(task.examples(task.test))};
    return price_text(e, price_of(e, task, sizes, threads));
  } catch (const data::MissingData&) {
    if (data::find_data_set(e.data.name) == nullptr) throw;  // a name that is wrong has no shape to stand in for
    const auto [task, sizes] = stand_in_for(e);
    return fmt::format("  {} is not here: steps are measured on random images of its shape\n", e.data.name) +
           price_text(e, price_of(e, task, sizes, threads));
  }
}

std::string price_text(const Experiment& e, const Price& price) {
  std::string text;
  for (const VariantPrice& one : price.variants)
    text += fmt::format(
        "  {}: {} per step{}, {} and {:.3g} s of evaluations: {} per run\n", one.name,
        one.step_seconds < 10 ? fmt::format("{:.3g} s", one.step_seconds) : reports::readable_seconds(one.step_seconds),
        one.measured_share == 1 ? "" : fmt::format(" (measured on {:.3g} % of its examples)", 100 * one.measured_share),
        reports::counted(e.training.steps, "step"), one.evaluation_seconds, minutes(one.run_seconds));
  text += fmt::format(
      "  {}{}, {} at once: {}", reports::counted(std::ssize(e.variants), "variant"),
      e.settings.empty() ? "" : " under " + reports::counted(std::ssize(e.settings), "setting"),
      reports::counted(price.at_once, "run"),
      minutes(price.seed_seconds * static_cast<double>(e.seeds)) + " for " + reports::counted(e.seeds, "seed"));
  if (e.evaluation.any()) text += "; what [evaluation] asks for is left out";
  if (e.variants.size() < 2) return text + "\n";
  const std::size_t least = least_seeds(comparisons_of(e), e.comparison.level);
  return text + fmt::format("; {} for {}, the fewest with which a verdict is possible\n",
                            minutes(price.seed_seconds * static_cast<double>(least)),
                            reports::counted(static_cast<Index>(least), "seed"));
}

}  // namespace attest::training
