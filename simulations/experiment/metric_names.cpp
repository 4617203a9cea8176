#include "simulations/experiment/metric_names.hpp"

#include <cctype>

#include <fmt/format.h>

namespace attest::training {

std::string attacked_metric(const std::string& attack, double budget, const std::string& what) {
  return fmt::format("{}_{}_{}", attack, budget, what);
}

std::string attack_title(const std::string& attack) {
  std::string title;
  for (const char c : attack) title += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return title;
}

std::string layer_metric(LayerMetric what, std::size_t layer) {
  return fmt::format("{}_layer_{}", what == LayerMetric::token_cosine ? "token_cosine" : "head_distance", layer);
}

std::vector<std::string> possible_metrics(const EvaluationSpec& evaluation) {
  std::vector<std::string> names;
  for (const char* part : {"test", "validation"})
    for (const char* what : {"loss", "accuracy", "accuracy_top5", "perplexity", "rmse"})
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
  if (evaluation.swapped_words > 0)
    for (const char* text : {"clean", "swapped"})
      for (const char* what : {"perplexity", "accuracy", "loss"})
        names.push_back(fmt::format("words_{}_{}", text, what));
  return names;
}

}  // namespace attest::training
