#include "simulations/training/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace attest::training {

double learning_rate(const TrainingSpec& training, Index step) {
  const double full = training.learning_rate, last = training.final_learning_rate;
  if (step < training.warmup) return full * static_cast<double>(step + 1) / static_cast<double>(training.warmup + 1);
  const auto length = static_cast<double>(std::max<Index>(1, training.steps - training.warmup));
  const double share = static_cast<double>(step - training.warmup) / length;
  switch (training.schedule) {
    case TrainingSpec::Schedule::cosine:
      return last + (full - last) * 0.5 * (1 + std::cos(std::numbers::pi * share));
    case TrainingSpec::Schedule::linear:
      return last + (full - last) * (1 - share);
    case TrainingSpec::Schedule::constant:
      break;
  }
  return full;
}

}  // namespace attest::training
