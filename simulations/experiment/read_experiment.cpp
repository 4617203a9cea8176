#include "simulations/experiment/read_experiment.hpp"

#include <algorithm>
#include <limits>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

#include "reports/files/atomic_file.hpp"
#include "simulations/experiment/read_evaluation.hpp"
#include "simulations/experiment/read_variant.hpp"
#include "simulations/spec/spec_reader.hpp"
#include "simulations/spec/toml_place.hpp"

namespace attest::training {
namespace {

using spec::TomlPlace;

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

void read_numerics(spec::SpecReader& read, TrainingSpec& t) {
  const bool cuda = read.choice("device", {"cpu", "cuda"}, "cpu") == "cuda";
  const bool half = read.choice("precision", {"float32", "bfloat16"}, "float32") == "bfloat16";
  const std::string implementation =
      read.choice("implementation", {"kernels", "operations"}, cuda || half ? "operations" : "kernels");
  if (implementation == "kernels" && (cuda || half))
    read.place().reject("implementation",
                        fmt::format("the library's attention kernels train on the processor in float32, not {}; leave "
                                    "implementation out or say operations",
                                    cuda ? "on cuda" : "in bfloat16"));
  t.device = cuda ? TrainingSpec::Device::cuda : TrainingSpec::Device::cpu;
  t.precision = half ? TrainingSpec::Precision::bfloat16 : TrainingSpec::Precision::float32;
  t.operations = implementation == "operations";
}

TrainingSpec read_training(spec::SpecReader read) {
  TrainingSpec t;
  t.optimiser = read.choice("optimiser", {"adamw", "adam"}, "adamw") == "adam" ? TrainingSpec::Optimiser::adam
                                                                               : TrainingSpec::Optimiser::adamw;
  const std::string schedule = read.choice("schedule", {"cosine", "linear", "constant"}, "cosine");
  t.schedule = schedule == "cosine"   ? TrainingSpec::Schedule::cosine
               : schedule == "linear" ? TrainingSpec::Schedule::linear
                                      : TrainingSpec::Schedule::constant;
  t.steps = read.count("steps", t.steps, 1);
  t.batch = read.count("batch", t.batch, 1);
  t.accumulate = read.count("accumulate", t.accumulate, 1);
  t.shards = read.count("shards", t.shards, 1);
  if (t.batch % t.shards != 0)
    read.place().reject("shards", fmt::format("{} shards do not divide a batch of {}", t.shards, t.batch));
  t.learning_rate = read.number("learning_rate", t.learning_rate, 0, 100);
  t.final_learning_rate = read.number("final_learning_rate", t.final_learning_rate, 0, t.learning_rate);
  t.warmup = read.count("warmup", t.warmup, 0);
  t.beta1 = read.number("beta1", t.beta1, 0, 0.999999);
  t.beta2 = read.number("beta2", t.beta2, 0, 0.999999);
  t.epsilon = read.number("epsilon", t.epsilon, 1e-16, 1);
  t.weight_decay = read.number("weight_decay", t.weight_decay, 0, 10);
  t.clip = read.number("clip", t.clip, 0, 1e6);
  t.label_smoothing = read.number("label_smoothing", t.label_smoothing, 0, 0.99);
  t.evaluate_every = read.count("evaluate_every", t.evaluate_every, 0);
  t.patience = read.count("patience", t.patience, 0);
  if (t.patience > 0 && t.evaluate_every == 0)
    read.place().reject("patience", "patience counts evaluations: give evaluate_every too");
  t.checkpoint_every = read.count("checkpoint_every", t.checkpoint_every, 1);
  t.start = read.text("start", "");
  t.gates = read.flag("gates", t.gates);
  read_numerics(read, t);
  read.done();
  return t;
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

Experiment read_document(const toml::table& document, const std::string& source) {
  spec::SpecReader root(TomlPlace(document, source, "the experiment"));
  Experiment e;
  e.title = root.text("title", "");
  e.size = root.choice("size", {"quick", "standard", "paper"}, e.size);
  e.seed = static_cast<std::uint64_t>(root.count("seed", 1, 0));
  e.seeds = root.count("seeds", e.seeds, 1);
  e.data = read_data(root.required_table("data"));
  if (auto training = root.table("training")) e.training = read_training(*training);
  if (auto comparison = root.table("comparison")) e.comparison = read_comparison(*comparison);
  e.variants = read_variants(root);
  e.evaluation = read_evaluation(root);
  require_metrics(root, e.comparison, e.evaluation);
  e.paper = read_paper(root, e.variants);
  root.done();
  if (e.comparison.baseline.empty()) e.comparison.baseline = e.variants.front().name;
  if (std::none_of(e.variants.begin(), e.variants.end(),
                   [&](const VariantSpec& v) { return v.name == e.comparison.baseline; }))
    root.place().reject("comparison", fmt::format("the baseline {} is not a variant", e.comparison.baseline));
  return e;
}

toml::table parse_toml(std::string_view text, const std::string& source) {
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& failure) {
    throw std::invalid_argument(fmt::format("{}, line {}: this is not valid TOML: {}", source,
                                            failure.source().begin.line, failure.description()));
  }
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

/// What follows the first ": " of a complaint: the sentence without its place.
std::string without_place(const std::string& sentence) {
  const std::size_t colon = sentence.find(": ");
  return colon == std::string::npos ? sentence : sentence.substr(colon + 2);
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
    set.experiments.back().name = name;
    set.experiments.back().title = name;
    set.experiments.back().canonical = spelled(merged);
  }
  document.erase("seeds");
  set.canonical = spelled(document);
  return set;
}

ExperimentSet read_experiment_set(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  ExperimentSet set = parse_experiment_set(reports::read_whole_file(file), file.string(), overrides);
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
  experiment.canonical = spelled(document);
  return experiment;
}

Experiment read_experiment(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  Experiment experiment = parse_experiment(reports::read_whole_file(file), file.string(), overrides);
  experiment.name = file.stem().string();
  if (experiment.title.empty()) experiment.title = experiment.name;
  return experiment;
}

}  // namespace attest::training
