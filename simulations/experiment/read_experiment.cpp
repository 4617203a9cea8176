#include "simulations/experiment/read_experiment.hpp"

#include <algorithm>
#include <limits>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

#include "kernels/files/whole_file.hpp"
#include "simulations/experiment/read_axes.hpp"
#include "simulations/experiment/read_evaluation.hpp"
#include "simulations/experiment/read_training.hpp"
#include "simulations/experiment/read_variant.hpp"
#include "simulations/spec/spec_reader.hpp"
#include "simulations/spec/toml_place.hpp"

namespace attest::experiment {
namespace {

using spec::parse_toml;
using spec::TomlPlace;
using spec::without_place;

DataSpec read_data(spec::SpecReader read) {
  DataSpec data;
  data.name = read.text("name", "");
  if (data.name.empty()) read.place().reject("name", "[data] lacks a name: attest data list shows what there is");
  data.train = read.count("train", data.train, 0);
  data.validation = read.number("validation", data.validation, 0, 1e9);
  data.test = read.count("test", data.test, 0);
  data.train_share = read.number("train_share", data.train_share, 0.01, 1);
  data.validation_share = read.number("validation_share", data.validation_share, 0.0001, 1 - data.train_share + 1e-12);
  data.unit = read.choice("unit", {"character", "byte", "word"}, data.unit);
  data.words = read.count("words", data.words, 0);
  data.longest = read.count("longest", data.longest, 0);
  data.above = read.count("above", data.above, 0);
  data.below = read.count("below", data.below, 2);
  data.deepest = read.count("deepest", data.deepest, 2);
  data.arguments = read.count("arguments", data.arguments, 2);
  data.side = read.count("side", data.side, 8);
  data.dashes = read.count("dashes", data.dashes, 1);
  data.grey = read.flag("grey", data.grey);
  data.augmentation.flip = read.flag("flip", false);
  data.augmentation.shift = read.count("shift", 0, 0);
  read.done();
  return data;
}

ComparisonSpec read_comparison(spec::SpecReader read) {
  ComparisonSpec c;
  c.baseline = read.text("baseline", "");
  c.metric = read.text("metric", "");
  c.also = read.names("also");
  c.level = read.number("level", c.level, 1e-9, 0.5);
  c.smallest = read.number("smallest", c.smallest, 0, 1e9);
  c.power = read.number("power", c.power, 0.01, 0.9999);
  c.expected_deviation = read.number("expected_deviation", c.expected_deviation, 0, 1e9);
  read.done();
  return c;
}

/// A run is a seed of a variant under a setting. More than these nobody trains, and their list would fill the memory.
constexpr Index most_runs = 100000;

void require_countable(spec::SpecReader& root, const Experiment& e) {
  const auto each = static_cast<Index>(e.variants.size() * std::max<std::size_t>(1, e.settings.size()));
  if (e.seeds > most_runs / each)
    root.place().reject("seeds", fmt::format("{} seeds of {} variants and settings make more than {} runs; give fewer",
                                             e.seeds, each, most_runs));
}

Experiment read_document(const toml::table& document, const std::string& source) {
  spec::SpecReader root(TomlPlace(document, source, "the experiment"));
  Experiment e;
  e.title = root.text("title", "");
  e.size = root.choice("size", {"quick", "standard", "paper"}, e.size);
  e.seed = static_cast<std::uint64_t>(root.count("seed", 1, 0));
  e.seeds = root.count("seeds", e.seeds, 1, most_runs);
  e.data_place = root.place().place_of("data");
  e.model_place = root.place().place_of("model");
  e.data = read_data(root.required_table("data"));
  if (auto training = root.table("training")) e.training = read_training(*training);
  if (auto comparison = root.table("comparison")) e.comparison = read_comparison(*comparison);
  e.variants = read_variants(root);
  e.evaluation = read_evaluation(root);
  require_metrics(root, e.comparison, e.evaluation);
  read_axes(root, document, e);
  require_countable(root, e);
  e.paper = read_paper(root, e.variants);
  root.done();
  if (e.comparison.baseline.empty()) e.comparison.baseline = e.variants.front().name;
  if (std::none_of(e.variants.begin(), e.variants.end(),
                   [&](const VariantSpec& v) { return v.name == e.comparison.baseline; }))
    root.place().reject("comparison", fmt::format("the baseline {} is not a variant", e.comparison.baseline));
  return e;
}

/// Puts one "key=value" into the document.
void override_with(toml::table& document, const std::string& setting) {
  const auto refuse = [&](const char* why) {
    throw std::invalid_argument(fmt::format("--set {}: {}; write key=value, such as training.steps=100", setting, why));
  };
  const std::size_t equals = setting.find('=');
  if (equals == std::string::npos || equals == 0) refuse("there is no key=value");
  const std::string value = setting.substr(equals + 1);
  toml::table parsed;
  try {
    parsed = toml::parse("value = " + value);
  } catch (const toml::parse_error&) {
    parsed.insert_or_assign("value", value);  // a word without quotes
  }
  toml::table* at = &document;
  std::istringstream path(setting.substr(0, equals));
  std::string key;
  std::getline(path, key, '.');
  for (std::string next; std::getline(path, next, '.'); key = next) {
    if (!at->contains(key)) at->insert(key, toml::table{});
    at = at->get(key)->as_table();
    if (at == nullptr) refuse("the part before the last dot is not a table");
  }
  at->insert_or_assign(key, *parsed.get("value"));
}

std::string spelled(const toml::table& document) {
  std::ostringstream text;
  text << document;
  return text.str();
}

/// The document as one [[skill]] changes it.
toml::table changed_by(toml::table document, const toml::table& skill, const std::string& name) {
  document.erase("skill");
  for (const auto& [key, node] : skill) {
    const toml::table* changes = node.as_table();
    if (changes == nullptr) continue;
    if (!document.contains(key)) document.insert(key, toml::table{});
    for (const auto& [inner, value] : *changes) document.get(key)->as_table()->insert_or_assign(inner, value);
  }
  if (toml::table& data = *document.get("data")->as_table(); !data.contains("name"))
    data.insert("name", name + "-generated");
  return document;
}

}  // namespace

ExperimentSet parse_experiment_set(std::string_view text, const std::string& source,
                                   const std::vector<std::string>& overrides) {
  toml::table document = parse_toml(text, source);
  for (const std::string& setting : overrides) override_with(document, setting);
  ExperimentSet set;
  spec::SpecReader root(TomlPlace(document, source, "the skills"));
  set.title = root.text("title", "");
  root.required_table("data");
  std::vector<spec::SpecReader> skills = root.tables("skill");
  if (skills.empty()) throw std::invalid_argument(fmt::format("{} names no skill; add a [[skill]]", source));
  const toml::array& tables = *document.get("skill")->as_array();
  std::size_t number = 0;
  for (spec::SpecReader& read : skills) {
    const std::string name = read.place().string("name");
    for (const char* table : {"data", "model", "training", "comparison"}) read.table(table);
    read.done();
    for (const Experiment& other : set.experiments)
      if (other.name == name) read.place().reject("name", fmt::format("two skills are called {}", name));
    const toml::table merged = changed_by(document, *tables[number++].as_table(), name);
    try {
      set.experiments.push_back(read_document(merged, source));
    } catch (const std::invalid_argument& failure) {
      throw std::invalid_argument(fmt::format("{}, skill {}: {}", source, name, without_place(failure.what())));
    }
    if (!set.experiments.back().settings.empty())
      root.place().reject("axes",
                          "a table of skills takes no [axes]: leave them out, or train the skill alone, with "
                          "data.name = \"" +
                              name + "-generated\"");
    set.experiments.back().name = name;
    set.experiments.back().title = name;
    set.experiments.back().canonical = spelled(merged);
    for (std::string* place : {&set.experiments.back().data_place, &set.experiments.back().model_place})
      *place += ", skill " + name;
  }
  document.erase("seeds");
  set.canonical = spelled(document);
  return set;
}

ExperimentSet read_experiment_set(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  ExperimentSet set = parse_experiment_set(files::read_whole(file), file.string(), overrides);
  set.name = file.stem().string();
  return set;
}

Experiment parse_experiment(std::string_view text, const std::string& source,
                            const std::vector<std::string>& overrides) {
  toml::table document = parse_toml(text, source);
  // First as it is, so that the file's own mistakes are found at their lines.
  Experiment experiment = read_document(document, source);
  for (const std::string& setting : overrides) {
    override_with(document, setting);
    try {
      experiment = read_document(document, source);
    } catch (const std::invalid_argument& failure) {
      throw std::invalid_argument(fmt::format("--set {}: {}", setting, without_place(failure.what())));
    }
  }
  document.erase("seeds");
  experiment.canonical = spelled(document);
  return experiment;
}

Experiment read_experiment(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  Experiment experiment = parse_experiment(files::read_whole(file), file.string(), overrides);
  experiment.name = file.stem().string();
  if (experiment.title.empty()) experiment.title = experiment.name;
  return experiment;
}

}  // namespace attest::experiment
