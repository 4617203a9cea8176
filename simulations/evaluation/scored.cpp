#include "simulations/evaluation/scored.hpp"

#include <algorithm>
#include <cmath>

#include "simulations/tasks/examples.hpp"

namespace attest::evaluation {

using checkpoints::FloatTensor;

Scored scored(const TrainedModel& model, const Batch& batch) {
  const FloatTensor scores = model.scores(batch);
  const auto classes = static_cast<std::size_t>(scores.extent(1));
  Scored sums;
  for (std::size_t answer = 0; answer < batch.answers.size(); ++answer) {
    const auto row = scores.values().subspan(answer * classes, classes);
    const auto best = std::max_element(row.begin(), row.end());
    const auto wanted = static_cast<std::size_t>(batch.answers[answer]);
    double sum = 0;
    for (const float score : row) sum += std::exp(static_cast<double>(score) - static_cast<double>(*best));
    sums.loss += static_cast<double>(*best) + std::log(sum) - static_cast<double>(row[wanted]);
    sums.right += static_cast<std::size_t>(best - row.begin()) == wanted ? 1 : 0;
  }
  return sums;
}

Scored mean_scores(const TrainedModel& model, const Task& task, const Part& part, Index examples, unsigned threads) {
  const Index count = std::min<Index>(examples, static_cast<Index>(task.examples(part)));
  const auto blocks = for_each_example_block(task, part, count, threads,
                                             [&](const Batch& batch, Index) { return scored(model, batch); });
  const auto answers = static_cast<double>(count * task.answers_per_example());
  Scored mean;
  for (const Scored& block : blocks) {
    mean.loss += block.loss / answers;
    mean.right += block.right / answers;
  }
  return mean;
}

}  // namespace attest::evaluation
