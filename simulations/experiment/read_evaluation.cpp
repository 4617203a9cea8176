#include "simulations/experiment/read_evaluation.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/names/nearest.hpp"
#include "simulations/data/corruptions/corruption.hpp"
#include "simulations/experiment/metric_names.hpp"

namespace attest::experiment {
namespace {

/// Radii above 0 and at most 255, increasing: the strength of an attack is judged along them.
std::vector<double> read_radii(spec::SpecReader& read, const char* key) {
  std::vector<double> radii;
  if (!read.has(key)) return radii;
  for (const quantities::Value& value : read.place().values(key)) {
    const double* number = std::get_if<double>(&value);
    if (number == nullptr || !(*number > 0 && *number <= 255) || (!radii.empty() && !(*number > radii.back())))
      read.place().reject(key, fmt::format("{} is not an increasing list of radii from 0 to 255, in 255ths", key));
    radii.push_back(*number);
  }
  return radii;
}

/// ["all"] or names.
std::vector<std::string> read_corruptions(spec::SpecReader& read) {
  std::vector<std::string> known = data::corruption_names();
  std::vector<std::string> names = read.names("corruptions");
  if (names == std::vector<std::string>{"all"}) return known;
  for (const std::string& name : names) {
    if (std::count(known.begin(), known.end(), name) == 0)
      read.place().reject("corruptions",
                          fmt::format("unknown corruption {}{}", name,
                                      names::did_you_mean(known, name, "[\"all\"] stands for all fifteen")));
    if (std::count(names.begin(), names.end(), name) > 1)
      read.place().reject("corruptions", fmt::format("{} is named twice; once is enough", name));
  }
  return names;
}

}  // namespace

EvaluationSpec read_evaluation(spec::SpecReader& root) {
  EvaluationSpec e;
  auto read = root.table("evaluation");
  if (!read) return e;
  e.examples = read->count("examples", e.examples, 2);
  e.fgsm = read_radii(*read, "fgsm");
  e.pgd = read_radii(*read, "pgd");
  e.pgd_steps = read->count("pgd_steps", e.pgd_steps, 1);
  e.pgd_step = read->number("pgd_step", e.pgd_step, 1e-6, 2);
  e.spsa = read_radii(*read, "spsa");
  e.spsa_steps = read->count("spsa_steps", e.spsa_steps, 1);
  e.spsa_samples = read->count("spsa_samples", e.spsa_samples, 1);
  e.corruptions = read_corruptions(*read);
  e.corrupted_set = read->text("corrupted_set", "");
  e.swapped_words = read->number("swapped_words", e.swapped_words, 0, 1);
  for (const std::string& measure : read->names("measures")) {
    if (measure == "tokens")
      e.tokens = true;
    else if (measure == "heads")
      e.heads = true;
    else if (measure == "cost")
      e.cost = true;
    else
      read->place().reject("measures", fmt::format("unknown measure {}: use tokens, heads, cost", measure));
  }
  e.maps = read->count("maps", e.maps, 0);
  read->done();
  return e;
}

void require_metrics(spec::SpecReader& root, const ComparisonSpec& comparison, const EvaluationSpec& evaluation) {
  const std::vector<std::string> possible = possible_metrics(evaluation);
  std::vector<std::string> asked = comparison.also;
  if (!comparison.metric.empty()) asked.push_back(comparison.metric);
  for (const std::string& metric : asked) {
    // Layers are not counted here: their metrics are known by their beginning.
    const bool of_a_layer = (evaluation.tokens && is_layer_metric(metric, LayerMetric::token_cosine)) ||
                            (evaluation.heads && is_layer_metric(metric, LayerMetric::head_distance));
    if (of_a_layer || std::find(possible.begin(), possible.end(), metric) != possible.end()) continue;
    root.place().reject(
        "comparison",
        fmt::format("[comparison] names the metric {}, which is not measured{}", metric,
                    names::did_you_mean(possible, metric, fmt::format("it can name {}", fmt::join(possible, ", ")))));
  }
}

PaperSpec read_paper(spec::SpecReader& root, const std::vector<VariantSpec>& variants) {
  PaperSpec paper;
  auto read = root.table("paper");
  if (!read) return paper;
  paper.source = read->text("source", "");
  if (paper.source.empty()) read->place().reject("source", "[paper] lacks a source: the paper's title and the table");
  paper.note = read->text("note", "");
  const auto known = [&](spec::SpecReader& table, const std::string& name) {
    if (std::none_of(variants.begin(), variants.end(), [&](const VariantSpec& v) { return v.name == name; }))
      table.place().reject(name, fmt::format("{} is not a variant", name));
  };
  for (const auto& [key, numbers] : {std::pair{"values", &paper.values}, std::pair{"baselines", &paper.baselines}}) {
    auto table = read->table(key);
    if (!table) continue;
    for (const std::string& name : table->place().keys()) {
      known(*table, name);
      (*numbers)[name] = table->place().number(name);
    }
  }
  if (auto claims = read->table("claims")) {
    for (const std::string& name : claims->place().keys()) {
      known(*claims, name);
      paper.claims[name] = claims->place().string(name);
    }
  }
  read->done();
  return paper;
}

}  // namespace attest::experiment
