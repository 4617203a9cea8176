#include "simulations/evaluation/evaluate.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "simulations/data/files/malformed_data.hpp"
#include "simulations/evaluation/attacks.hpp"
#include "simulations/evaluation/corruption_errors.hpp"
#include "simulations/evaluation/model_cost.hpp"
#include "simulations/evaluation/word_swap.hpp"
#include "simulations/experiment/metric_names.hpp"
#include "simulations/measure/trained/layer_measures.hpp"
#include "simulations/tasks/examples.hpp"

namespace attest::evaluation {

using experiment::attacked_metric;
using experiment::LayerMetric;
using measure::LayerMeasures;
using measure::measure_layers;
using models::Measures;
using models::model_kinds;
using models::ModelTraits;
namespace {

void put_attack(journal::Results& results, const std::string& name, const std::vector<AttackResult>& found) {
  for (const AttackResult& one : found) {
    results[attacked_metric(name, one.radius, "accuracy")] = one.accuracy;
    results[attacked_metric(name, one.radius, "loss")] = one.loss;
  }
  if (name == "noise") return;
  results[name + "_zero_gradients"] = found.front().zero_gradients;
  results[name + "_loss_rises"] = loss_rises(found) ? 1 : 0;
}

void put_swapped_words(journal::Results& results, const TrainedModel& model, const Task& task,
                       const EvaluationSpec& spec, std::uint64_t seed, unsigned threads) {
  const Part& part = evaluated_part(task);
  const Index examples = evaluated_examples(task, spec.examples);
  const Part swapped = swapped_part(task, part, examples, spec.swapped_words, seed);
  for (const auto& [name, words] : {std::pair{"clean", &part}, std::pair{"swapped", &swapped}}) {
    const Scored mean = mean_scores(model, task, *words, examples, threads);
    if (traits_of(task.kind).measures == Measures::perplexity) {
      results[fmt::format("words_{}_perplexity", name)] = std::exp(mean.loss);
    } else {
      results[fmt::format("words_{}_accuracy", name)] = mean.right;
      results[fmt::format("words_{}_loss", name)] = mean.loss;
    }
  }
}

void put_layers(journal::Results& results, const TrainedModel& model, const Task& task, const EvaluationSpec& spec,
                unsigned threads) {
  const LayerMeasures layers = measure_layers(model, task, spec.examples, threads);
  if (spec.tokens)
    for (std::size_t l = 0; l < layers.token_cosine.size(); ++l)
      results[layer_metric(LayerMetric::token_cosine, l)] = layers.token_cosine[l];
  if (spec.heads)
    for (std::size_t l = 0; l < layers.head_distance.size(); ++l)
      results[layer_metric(LayerMetric::head_distance, l)] = layers.head_distance[l];
}

void put_cost(journal::Results& results, const TrainedModel& model, const Task& task, const EvaluationSpec& spec) {
  const Index tokens = model.embedded(task.batch(evaluated_part(task), 0, 1)).extent(1);
  const ModelCost cost = counted_cost(model.spec(), tokens);
  const auto texts = static_cast<double>(traits_of(task.kind).texts);
  results["attention_flops"] = texts * cost.attention_flops;
  results["product_flops"] = texts * cost.product_flops;
  results["attention_bytes"] = cost.attention_bytes;
  results["example_seconds"] = measured_seconds(model, task, spec.examples);
  results["process_peak_bytes"] = process_peak_bytes();
}

}  // namespace

void require_evaluable(const Experiment& experiment) {
  const EvaluationSpec& spec = experiment.evaluation;
  const ModelTraits& kind = traits_of(experiment.variants.front().model.kind);
  // Refuses a key that is given that is for a trait which the kind of model does not have.
  const auto require = [&](const char* key, bool given, bool (ModelTraits::*trait)() const) {
    if (!given || (kind.*trait)()) return;
    std::vector<std::string_view> fit;
    for (const ModelTraits& row : model_kinds)
      if ((row.*trait)()) fit.push_back(row.word);
    throw std::invalid_argument(
        fmt::format("evaluation.{} is for {} models only; leave it out", key, fmt::join(fit, " and ")));
  };
  require("fgsm", !spec.fgsm.empty(), &ModelTraits::classifies_images);
  require("pgd", !spec.pgd.empty(), &ModelTraits::classifies_images);
  require("spsa", !spec.spsa.empty(), &ModelTraits::classifies_images);
  require("corruptions", !spec.corruptions.empty(), &ModelTraits::classifies_images);
  require("maps", spec.maps > 0, &ModelTraits::classifies_images);
  require("swapped_words", spec.swapped_words > 0, &ModelTraits::reads_one_text);
}

void require_evaluable(const Experiment& experiment, const Task& task) {
  if (experiment.evaluation.swapped_words <= 0) return;
  try {
    task.vocabulary.encode(swapped_word, "a swapped word");
  } catch (const data::MalformedData&) {
    throw std::invalid_argument(fmt::format(
        "evaluation.swapped_words turns words into \"{}\", which the tokens of {} cannot spell; leave it out",
        swapped_word, experiment.data.name));
  }
}

journal::Results evaluate(const TrainedModel& model, const Task& task, const EvaluationSpec& spec, std::uint64_t seed,
                          unsigned threads) {
  journal::Results results;
  if (!spec.fgsm.empty())
    put_attack(results, "fgsm", attack(model, task, Attack::fgsm, spec.fgsm, spec, seed, threads));
  if (!spec.pgd.empty()) put_attack(results, "pgd", attack(model, task, Attack::pgd, spec.pgd, spec, seed, threads));
  if (!spec.spsa.empty())
    put_attack(results, "spsa", attack(model, task, Attack::spsa, spec.spsa, spec, seed, threads));
  if (spec.attacks())
    put_attack(results, "noise", attack(model, task, Attack::noise, noise_budgets(spec), spec, seed, threads));
  if (!spec.corruptions.empty()) results.merge(corruption_errors(model, task, spec, threads));
  if (spec.swapped_words > 0) put_swapped_words(results, model, task, spec, seed, threads);
  if (spec.tokens || spec.heads) put_layers(results, model, task, spec, threads);
  if (spec.cost) put_cost(results, model, task, spec);
  return results;
}

}  // namespace attest::evaluation
