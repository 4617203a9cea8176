// What an experiment's runs say together: DIR/summary.json and a table.
#pragma once

#include <map>
#include <string>
#include <utility>

#include <nlohmann/json_fwd.hpp>

#include "simulations/experiment/experiment.hpp"
#include "simulations/journal/run_record.hpp"

namespace attest::outcomes {

using experiment::Experiment;

/// Results of finished runs by variant and seed.
using AllResults = std::map<std::pair<std::string, std::uint64_t>, journal::Results>;

/// The metric that variants are compared on, and whether more of it is better: ComparisonSpec::metric, or of what a run
/// measured the loss of texts, the root mean square error of regressions, the mean IoU of segmentations, and else the
/// accuracy, each of the test part where there is one.
std::pair<std::string, bool> compared_metric(const Experiment& experiment, const journal::Results& measured);

/// Comparisons that share the level: every variant with the baseline, on every compared metric.
std::size_t comparisons_of(const Experiment& experiment);

/// What the comparisons could find, in one sentence; said before the runs start.
std::string power_sentence(const Experiment& experiment);

/// {experiment, size, seed, metric, variants: [{name, seeds, metrics: {metric: {mean, interval, values}}, cost:
/// [[title, cell], ...]}],
/// comparisons:
/// [{a, b, metric, difference, interval, interval_class, verdict, e_value, pairs, decided_at, would_decide,
/// detectable_deviations, range_interval}], level, smallest, assumption, seconds}. b is the baseline; verdicts and the
/// intervals of differences are those of `compare`, means have Student's, which is asymptotic; range_interval is there
/// for accuracies. Ends of intervals that few seeds or equal values leave open are null. Precondition: every variant
/// and seed has results. Errors: std::invalid_argument when the metric is none of them.
nlohmann::ordered_json summarise(const Experiment& experiment, const AllResults& results, double seconds);

/// The same as a table for a terminal.
std::string summary_table(const nlohmann::ordered_json& summary);

}  // namespace attest::outcomes
