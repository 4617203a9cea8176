#include "simulations/tasks/segmentation_scores.hpp"

#include <cmath>
#include <cstddef>

namespace attest::tasks {

SegmentationScores segmentation_scores(const std::vector<double>& confusion) {
  const auto classes = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(confusion.size()))));
  double all = 0, right = 0, accuracies = 0, present = 0, unions = 0, met = 0;
  for (std::size_t i = 0; i < classes; ++i) {
    double there = 0, called = 0;
    for (std::size_t j = 0; j < classes; ++j) {
      there += confusion[i * classes + j];
      called += confusion[j * classes + i];
    }
    const double both = confusion[i * classes + i];
    all += there;
    right += both;
    if (there > 0) {
      accuracies += both / there;
      ++present;
    }
    if (there + called > 0) {
      unions += both / (there + called - both);
      ++met;
    }
  }
  return {right / all, accuracies / present, unions / met};
}

}  // namespace attest::tasks
