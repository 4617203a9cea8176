#include "simulations/evaluation/corruption_errors.hpp"

#include "simulations/data/corruptions/corrupted_set.hpp"
#include "simulations/evaluation/scored.hpp"
#include "simulations/experiment/held_out.hpp"
#include "simulations/experiment/metric_names.hpp"
#include "simulations/tasks/examples.hpp"

namespace attest::evaluation {

using experiment::corrupted_metric;
using experiment::data_seed;

journal::Results corruption_errors(const TrainedModel& model, const Task& task, const EvaluationSpec& spec,
                                   unsigned threads) {
  const Part& whole = evaluated_part(task);
  const auto examples = static_cast<std::size_t>(evaluated_examples(task, spec.examples));
  std::vector<std::size_t> first(examples);
  for (std::size_t i = 0; i < examples; ++i) first[i] = i;
  Part part;
  part.images = select(whole.images, first);
  const data::LabelledImages clean = part.images;
  const auto error = [&] {
    const auto count = static_cast<Index>(part.images.count);
    return 1 - mean_scores(model, task, part, count, threads).right;
  };
  journal::Results results;
  results["uncorrupted_error"] = error();
  const auto kinds = static_cast<double>(spec.corruptions.size());
  for (const std::string& name : spec.corruptions) {
    const data::Corruption kind = data::find_corruption(name).value();
    for (int severity = 1; severity <= data::most_severe; ++severity) {
      part.images = task.corrupted.empty() ? data::corrupted(clean, kind, severity, data_seed, threads)
                                           : data::read_corrupted(task.corrupted, kind, severity, examples, clean);
      const double share = error();
      results[corrupted_metric(name)] += share / data::most_severe;
      results[corrupted_metric(severity)] += share / kinds;
      results["corrupted_error"] += share / (kinds * data::most_severe);
    }
  }
  return results;
}

}  // namespace attest::evaluation
