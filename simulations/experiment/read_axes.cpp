#include "simulations/experiment/read_axes.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "simulations/experiment/read_training.hpp"

namespace attest::experiment {
namespace {

constexpr std::size_t most_settings = 1000;

/// Keys of [training] that change neither the batches nor what a run evaluates.
const std::vector<std::string>& possible_axes() {
  static const std::vector<std::string> keys = {"learning_rate", "final_learning_rate", "warmup", "weight_decay",
                                                "clip",          "label_smoothing",     "beta1",  "beta2",
                                                "epsilon"};
  return keys;
}

Axis read_axis(spec::SpecReader& read, const std::string& key) {
  const auto& possible = possible_axes();
  if (std::find(possible.begin(), possible.end(), key) == possible.end())
    read.place().reject(
        key, fmt::format("training.{} is not an axis: choose among {}, which leave the batches as they are", key,
                         fmt::join(possible, ", ")));
  Axis axis{key, {}};
  for (const quantities::Value& value : read.place().values(key)) {
    const double* number = std::get_if<double>(&value);
    if (number == nullptr) read.place().reject(key, fmt::format("the axis {} holds a word; give numbers", key));
    if (std::find(axis.values.begin(), axis.values.end(), *number) != axis.values.end())
      read.place().reject(key, fmt::format("the axis {} holds {} twice", key, *number));
    axis.values.push_back(*number);
  }
  if (axis.values.size() < 2)
    read.place().reject(key, fmt::format("the axis {} has one value: give two or more, or write training.{} = {}", key,
                                         key, axis.values.front()));
  return axis;
}

/// The axes' values that a setting has, the last axis running fastest.
std::vector<double> values_of(const std::vector<Axis>& axes, std::size_t number) {
  std::vector<double> values(axes.size());
  for (std::size_t a = axes.size(); a-- > 0; number /= axes[a].values.size())
    values[a] = axes[a].values[number % axes[a].values.size()];
  return values;
}

void require_judging_part(spec::SpecReader& root, const ComparisonSpec& comparison) {
  std::vector<std::string> metrics = comparison.also;
  metrics.push_back(comparison.metric);
  for (const std::string& metric : metrics)
    if (metric.starts_with("validation_"))
      root.place().reject("comparison",
                          fmt::format("[axes] chooses by the validation part, which cannot judge too: compare test_{} "
                                      "instead of {}",
                                      metric.substr(metric.find('_') + 1), metric));
}

}  // namespace

void read_axes(spec::SpecReader& root, const toml::table& document, Experiment& experiment) {
  auto read = root.table("axes");
  if (!read) return;
  auto training = read->table("training");
  read->done();
  if (!training || training->place().keys().empty())
    root.place().reject("axes", "[axes] holds no list: give one, such as training.learning_rate = [1e-3, 1e-2]");
  std::size_t settings = 1;
  for (const std::string& key : training->place().keys()) {
    experiment.axes.push_back(read_axis(*training, key));
    settings *= experiment.axes.back().values.size();
    if (settings > most_settings)
      root.place().reject("axes", fmt::format("the axes make more than {} settings; give fewer values", most_settings));
  }
  require_judging_part(root, experiment.comparison);
  for (std::size_t s = 0; s < settings; ++s) {
    toml::table changed;
    if (const toml::table* there = document["training"].as_table()) changed = *there;
    Setting setting{"", values_of(experiment.axes, s), {}};
    for (std::size_t a = 0; a < experiment.axes.size(); ++a) {
      const Axis& axis = experiment.axes[a];
      const double value = setting.values[a];
      // Keys that count want an integer.
      if (value == std::floor(value) && std::abs(value) < 1e15)
        changed.insert_or_assign(axis.key, static_cast<std::int64_t>(value));
      else
        changed.insert_or_assign(axis.key, value);
      setting.name += fmt::format("{}{}={}", a == 0 ? "" : ",", axis.key, value);
    }
    try {
      setting.training = read_training(spec::SpecReader(spec::TomlPlace(changed, "", "[training]")));
    } catch (const std::invalid_argument& failure) {
      root.place().reject("axes", fmt::format("with {}: {}", setting.name, spec::without_place(failure.what())));
    }
    experiment.settings.push_back(std::move(setting));
  }
}

}  // namespace attest::experiment
