#include "simulations/training/update/adam.hpp"

#include <array>
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
  // Local pointers that overlap nothing, or the compiler would not vectorise.
  float* __restrict w = weights.data();
  float* __restrict first = moments.first.data();
  float* __restrict second = moments.second.data();
  const float* __restrict g_in = gradient.data();
  const std::size_t size = weights.size();
  for (std::size_t i = 0; i < size; ++i) {
    const float g = g_in[i] + added * w[i];
    const float m = b1 * first[i] + first_share * g;
    const float v = b2 * second[i] + second_share * (g * g);
    first[i] = m;
    second[i] = v;
    w[i] = kept * w[i] - pace * m / (std::sqrt(v) * root + epsilon);
  }
}

void add_gradient(std::span<float> gradient, std::span<const float> part, float share, bool first) {
  float* __restrict to = gradient.data();
  const float* __restrict from = part.data();
  const std::size_t size = gradient.size();
  if (first)
    for (std::size_t i = 0; i < size; ++i) to[i] = share * from[i];
  else
    for (std::size_t i = 0; i < size; ++i) to[i] += share * from[i];
}

double square_sum(std::span<const float> values) {
  constexpr std::size_t lanes = 8;
  std::array<double, lanes> sums{};
  const std::size_t whole = values.size() / lanes * lanes;
  for (std::size_t i = 0; i < whole; i += lanes)
    for (std::size_t l = 0; l < lanes; ++l) {
      const double value = values[i + l];
      sums[l] += value * value;
    }
  double sum = 0;
  for (const double lane : sums) sum += lane;
  for (std::size_t i = whole; i < values.size(); ++i) {
    const double value = values[i];
    sum += value * value;
  }
  return sum;
}

void scale(std::span<float> values, float factor) {
  for (float& value : values) value *= factor;
}

}  // namespace attest::training
