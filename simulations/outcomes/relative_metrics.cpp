#include "simulations/outcomes/relative_metrics.hpp"

#include "simulations/experiment/metric_names.hpp"

namespace attest::outcomes {

using experiment::corrupted_metric;
using experiment::mean_corruption_error;

void add_corruption_error(const Experiment& experiment, AllResults& results) {
  const std::vector<std::string>& kinds = experiment.evaluation.corruptions;
  if (kinds.empty()) return;
  for (auto& [run, found] : results) {
    const journal::Results& baseline = results.at({experiment.comparison.baseline, run.second});
    double sum = 0, count = 0;
    for (const std::string& kind : kinds) {
      const double reference = baseline.at(corrupted_metric(kind));
      if (reference <= 0) continue;
      sum += found.at(corrupted_metric(kind)) / reference;
      ++count;
    }
    found[mean_corruption_error] = count > 0 ? sum / count : 1;
  }
}

}  // namespace attest::outcomes
