#include "simulations/evaluation/spsa.hpp"

#include <cmath>
#include <limits>

#include "kernels/random/stream.hpp"

namespace attest::evaluation {

using checkpoints::FloatTensor;
namespace {

constexpr std::uint32_t direction_key = random::stream_key("evaluation/spsa");
constexpr double beta1 = 0.9, beta2 = 0.999, adam_epsilon = 1e-8;

/// Score of the right class less the best other one, of each example.
std::vector<double> margins(const TrainedModel& model, const Batch& batch) {
  const FloatTensor scores = model.scores(batch);
  const auto classes = static_cast<std::size_t>(scores.extent(1));
  std::vector<double> found;
  for (std::size_t b = 0; b < batch.answers.size(); ++b) {
    const auto row = scores.values().subspan(b * classes, classes);
    const auto right = static_cast<std::size_t>(batch.answers[b]);
    float other = -std::numeric_limits<float>::infinity();
    for (std::size_t c = 0; c < classes; ++c)
      if (c != right) other = std::max(other, row[c]);
    found.push_back(static_cast<double>(row[right]) - static_cast<double>(other));
  }
  return found;
}

/// Random signs, one per pixel: sample `number` of an example is stream (seed, key, example) from a word of its own on.
std::vector<signed char> signs(std::size_t pixels, Index count, std::uint64_t number, std::uint64_t seed, Index first) {
  std::vector<signed char> v(pixels * static_cast<std::size_t>(count));
  const std::uint64_t words = (pixels + 63) / 64;
  for (std::size_t b = 0; b < static_cast<std::size_t>(count); ++b) {
    const random::Stream stream(seed, direction_key, static_cast<std::uint64_t>(first) + b);
    for (std::size_t i = 0; i < pixels; ++i)
      v[b * pixels + i] = (stream.bits(number * words + i / 64) >> (i % 64) & 1U) == 1U ? 1 : -1;
  }
  return v;
}

}  // namespace

std::vector<float> spsa(const TrainedModel& model, const Batch& clean, const Pixels& pixels, double radius,
                        const SpsaSpec& spec, std::uint64_t seed, Index first) {
  const std::size_t size = pixels.per_image(), all = clean.values.size();
  Batch at = clean, moved = clean;
  std::vector<double> gradient(all), mean(all), square(all);
  const double range = 255;  // radii are 255ths of a pixel's range
  for (std::int64_t step = 0; step < spec.steps; ++step) {
    std::fill(gradient.begin(), gradient.end(), 0.0);
    for (std::int64_t sample = 0; sample < spec.samples; ++sample) {
      const auto v = signs(size, clean.count, static_cast<std::uint64_t>(step * spec.samples + sample), seed, first);
      std::vector<double> difference;
      for (const float direction : {1.0F, -1.0F}) {
        for (std::size_t i = 0; i < all; ++i)
          moved.values[i] =
              at.values[i] + direction * static_cast<float>(v[i]) * pixels.step(i, spec.difference * range);
        const std::vector<double> found = margins(model, moved);
        if (difference.empty())
          difference = found;
        else
          for (std::size_t b = 0; b < found.size(); ++b) difference[b] -= found[b];
      }
      const double share = 1 / (2 * spec.difference * static_cast<double>(spec.samples));
      for (std::size_t i = 0; i < all; ++i) gradient[i] += share * difference[i / size] * v[i];
    }
    const auto t = static_cast<double>(step + 1);
    for (std::size_t i = 0; i < all; ++i) {
      mean[i] = beta1 * mean[i] + (1 - beta1) * gradient[i];
      square[i] = beta2 * square[i] + (1 - beta2) * gradient[i] * gradient[i];
      const double down =
          mean[i] / (1 - std::pow(beta1, t)) / (std::sqrt(square[i] / (1 - std::pow(beta2, t))) + adam_epsilon);
      const float length = pixels.step(i, spec.rate * range);
      at.values[i] = pixels.clamped(i, at.values[i] - length * static_cast<float>(down), radius);
    }
  }
  return at.values;
}

}  // namespace attest::evaluation
