#include "simulations/evaluation/scored.hpp"

#include <algorithm>
#include <cmath>

namespace attest::training {

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

}  // namespace attest::training
