#include "simulations/experiment/metric_names.hpp"

#include <cctype>
#include <set>

#include <fmt/format.h>

namespace attest::experiment {

std::string attacked_metric(const std::string& attack, double budget, const std::string& what) {
  return fmt::format("{}_{}_{}", attack, budget, what);
}

std::string corrupted_metric(const std::string& kind) { return fmt::format("corrupted_{}_error", kind); }

std::string corrupted_metric(int severity) { return fmt::format("corrupted_severity_{}_error", severity); }

std::vector<double> noise_budgets(const EvaluationSpec& evaluation) {
  std::set<double> all;
  for (const auto* budgets : {&evaluation.fgsm, &evaluation.pgd, &evaluation.spsa})
    all.insert(budgets->begin(), budgets->end());
  return {all.begin(), all.end()};
}

std::string attack_title(const std::string& attack) {
  std::string title;
  for (const char c : attack) title += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return title;
}

namespace {

std::string_view layer_prefix(LayerMetric what) {
  return what == LayerMetric::token_cosine ? "token_cosine_layer_" : "head_distance_layer_";
}

}  // namespace

std::string layer_metric(LayerMetric what, std::size_t layer) { return fmt::format("{}{}", layer_prefix(what), layer); }

bool is_layer_metric(std::string_view metric, LayerMetric what) { return metric.starts_with(layer_prefix(what)); }

std::vector<std::string> possible_metrics(const EvaluationSpec& evaluation) {
  std::vector<std::string> names;
  for (const char* part : {"test", "validation"})
    for (const char* what :
         {"loss", "accuracy", "accuracy_top5", "perplexity", "rmse", "mean_accuracy", "mean_iou", "dropped_tokens"})
      names.push_back(fmt::format("{}_{}", part, what));
  const auto add_attack = [&](const char* attack, const std::vector<double>& budgets) {
    if (budgets.empty()) return;
    for (const char* what : {"accuracy", "loss"}) {
      names.push_back(attacked_metric(attack, 0, what));
      for (const double budget : budgets) names.push_back(attacked_metric(attack, budget, what));
    }
  };
  add_attack("fgsm", evaluation.fgsm);
  add_attack("pgd", evaluation.pgd);
  add_attack("spsa", evaluation.spsa);
  add_attack("noise", noise_budgets(evaluation));
  if (!evaluation.corruptions.empty()) {
    for (const char* name : {mean_corruption_error, "corrupted_error", "uncorrupted_error"}) names.emplace_back(name);
    for (const std::string& kind : evaluation.corruptions) names.push_back(corrupted_metric(kind));
    for (int severity = 1; severity <= 5; ++severity) names.push_back(corrupted_metric(severity));
  }
  if (evaluation.swapped_words > 0)
    for (const char* text : {"clean", "swapped"})
      for (const char* what : {"perplexity", "accuracy", "loss"})
        names.push_back(fmt::format("words_{}_{}", text, what));
  return names;
}

}  // namespace attest::experiment
