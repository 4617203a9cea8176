// The figures of a training's report, as data.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "simulations/experiment/experiment.hpp"
#include "simulations/journal/run_record.hpp"
#include "simulations/outcomes/summary.hpp"

namespace attest::outcomes {

/// Differences to the baseline with their intervals; then one figure per metric that was recorded over the steps: means
/// over the seeds, with the least and the greatest of them; then what [evaluation] asked for: accuracy over the budget
/// of each attack, similarity of tokens and distance of heads over the layers. In the form that reports draw (see
/// reports::Figure). `summary` is that of `summarise`.
nlohmann::ordered_json training_figures(const Experiment& experiment, const nlohmann::ordered_json& summary,
                                        const std::vector<journal::RunMeasurement>& curves);

/// "training_loss" as axes and captions say it.
std::string spoken_metric(std::string metric);

}  // namespace attest::outcomes
