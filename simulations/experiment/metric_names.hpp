// How the metrics of evaluations are called in records, summaries and reports.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "simulations/experiment/evaluation_spec.hpp"

namespace attest::experiment {

/// Metric `what` ("accuracy", "loss") under an attack ("fgsm", "pgd", "spsa", "noise") with this budget, in 255ths:
/// "fgsm_4_accuracy". Budget 0 is the same examples unharmed.
std::string attacked_metric(const std::string& attack, double budget, const std::string& what);

/// "corrupted_fog_error": the mean over the severities; "corrupted_severity_3_error": over the kinds.
std::string corrupted_metric(const std::string& kind);
std::string corrupted_metric(int severity);

/// Errors under corruptions relative to the baseline's (add_corruption_error).
inline constexpr const char* mean_corruption_error = "mean_corruption_error";

/// Budgets of every attack that is asked for, in order, each once: random noise is compared with at all of them.
std::vector<double> noise_budgets(const EvaluationSpec& evaluation);

/// "FGSM", "PGD".
std::string attack_title(const std::string& attack);

/// Metrics that every layer has. The cosine between tokens is that of what enters layer l, or leaves the last.
enum class LayerMetric { token_cosine, head_distance };

/// "token_cosine_layer_2".
std::string layer_metric(LayerMetric what, std::size_t layer);

/// Whether `metric` is that of some layer.
bool is_layer_metric(std::string_view metric, LayerMetric what);

/// Every metric that a finished run may have with these evaluations, but for those of layers.
std::vector<std::string> possible_metrics(const EvaluationSpec& evaluation);

}  // namespace attest::experiment
