#include "simulations/training/adam.hpp"

#include <cmath>

namespace attest::training {

void adam_step(const TrainingSpec& training, Index step, double rate, double decay, std::span<float> weights,
               std::span<const float> gradient, AdamMoments moments) {
  const auto count = static_cast<double>(step);
  const bool decoupled = training.optimiser == TrainingSpec::Optimiser::adamw;
  const auto b1 = static_cast<float>(training.beta1), b2 = static_cast<float>(training.beta2);
  const auto first_share = static_cast<float>(1 - training.beta1),
             second_share = static_cast<float>(1 - training.beta2);
  const auto pace = static_cast<float>(rate / (1 - std::pow(training.beta1, count)));
  const auto root = static_cast<float>(1 / std::sqrt(1 - std::pow(training.beta2, count)));
  const auto epsilon = static_cast<float>(training.epsilon);
  const auto kept = static_cast<float>(decoupled ? 1 - rate * decay : 1);
  const auto added = static_cast<float>(decoupled ? 0 : decay);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const float g = gradient[i] + added * weights[i];
    const float m = moments.first[i] = b1 * moments.first[i] + first_share * g;
    const float v = moments.second[i] = b2 * moments.second[i] + second_share * (g * g);
    weights[i] = kept * weights[i] - pace * m / (std::sqrt(v) * root + epsilon);
  }
}

}  // namespace attest::training
