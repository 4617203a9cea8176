#include "simulations/evaluation/attacks.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/random/stream.hpp"
#include "simulations/evaluation/pixels.hpp"
#include "simulations/evaluation/scored.hpp"
#include "simulations/evaluation/spsa.hpp"
#include "simulations/tasks/examples.hpp"

namespace attest::evaluation {

using checkpoints::FloatTensor;
using checkpoints::InputGradient;
namespace {

constexpr std::uint32_t start_key = random::stream_key("evaluation/pgd");
constexpr std::uint32_t noise_key = random::stream_key("evaluation/noise");

float sign(float value) { return value > 0 ? 1.0F : value < 0 ? -1.0F : 0.0F; }

/// Sums over the examples of a block.
struct Sums {
  Scored answers;
  double zero = 0;
};

/// x + length sign(gradient), within the radius.
void move(Batch& batch, const Pixels& pixels, const FloatTensor& gradient, double length, double radius) {
  for (std::size_t i = 0; i < batch.values.size(); ++i)
    batch.values[i] = pixels.clamped(i, batch.values[i] + pixels.step(i, length) * sign(gradient.values()[i]), radius);
}

void start_at_random(Batch& batch, const Pixels& pixels, double radius, std::uint64_t seed, Index first) {
  const std::size_t size = pixels.per_image();
  for (std::size_t b = 0; b < static_cast<std::size_t>(batch.count); ++b) {
    random::Stream stream(seed, start_key, static_cast<std::uint64_t>(first) + b);
    for (std::size_t i = b * size; i < (b + 1) * size; ++i)
      batch.values[i] = pixels.clamped(
          i, batch.values[i] + pixels.step(i, radius) * static_cast<float>(stream.uniform(-1, 1)), radius);
  }
}

/// x + radius times a random sign in every pixel.
void add_noise(Batch& batch, const Pixels& pixels, double radius, std::uint64_t seed, Index first) {
  const std::size_t size = pixels.per_image();
  for (std::size_t b = 0; b < static_cast<std::size_t>(batch.count); ++b) {
    random::Stream stream(seed, noise_key, static_cast<std::uint64_t>(first) + b);
    for (std::size_t i = b * size; i < (b + 1) * size; ++i) {
      const float length = pixels.step(i, radius);
      batch.values[i] = pixels.clamped(i, batch.values[i] + (stream.integer(2) == 1 ? length : -length), radius);
    }
  }
}

/// Keeps for each example the image of the largest loss.
struct Worst {
  std::vector<double> losses;
  std::vector<float> values;

  void see(const Batch& batch, const std::vector<double>& found) {
    if (losses.empty()) {
      losses = found;
      values = batch.values;
      return;
    }
    const std::size_t size = values.size() / losses.size();
    for (std::size_t b = 0; b < losses.size(); ++b) {
      if (!(found[b] > losses[b])) continue;
      losses[b] = found[b];
      std::copy_n(batch.values.begin() + static_cast<std::ptrdiff_t>(b * size), size,
                  values.begin() + static_cast<std::ptrdiff_t>(b * size));
    }
  }
};

Batch attacked(const TrainedModel& model, const Batch& clean, const InputGradient& at_clean, const Pixels& pixels,
               Attack kind, double radius, const EvaluationSpec& spec, std::uint64_t seed, Index first) {
  Batch batch = clean;
  if (kind == Attack::fgsm) {
    move(batch, pixels, at_clean.gradient, radius, radius);
    return batch;
  }
  if (kind == Attack::noise) {
    add_noise(batch, pixels, radius, seed, first);
    return batch;
  }
  if (kind == Attack::spsa) {
    batch.values =
        spsa(model, clean, pixels, radius, {.steps = spec.spsa_steps, .samples = spec.spsa_samples}, seed, first);
    return batch;
  }
  Worst worst;
  worst.see(clean, at_clean.losses);
  start_at_random(batch, pixels, radius, seed, first);
  for (std::int64_t step = 0; step <= spec.pgd_steps; ++step) {
    const InputGradient here = model.input_gradient(batch);
    worst.see(batch, here.losses);
    if (step < spec.pgd_steps) move(batch, pixels, here.gradient, spec.pgd_step * radius, radius);
  }
  batch.values = std::move(worst.values);
  return batch;
}

double zero_gradients(const InputGradient& found) {
  const std::size_t size = found.gradient.values().size() / found.losses.size();
  double zero = 0;
  for (std::size_t b = 0; b < found.losses.size(); ++b) {
    const auto one = found.gradient.values().subspan(b * size, size);
    zero += std::all_of(one.begin(), one.end(), [](float g) { return g == 0; }) ? 1 : 0;
  }
  return zero;
}

}  // namespace

std::vector<AttackResult> attack(const TrainedModel& model, const Task& task, Attack kind,
                                 const std::vector<double>& radii, const EvaluationSpec& spec, std::uint64_t seed,
                                 unsigned threads) {
  const Index examples = evaluated_examples(task, spec.examples);
  const auto blocks =
      for_each_example_block(task, evaluated_part(task), examples, threads, [&](const Batch& clean, Index first) {
        const Pixels pixels(task, clean);
        const InputGradient at_clean = model.input_gradient(clean);
        std::vector<Sums> sums(1 + radii.size());
        sums[0] = {scored(model, clean), zero_gradients(at_clean)};
        for (std::size_t i = 0; i < radii.size(); ++i) {
          const Batch harmed = attacked(model, clean, at_clean, pixels, kind, radii[i], spec, seed, first);
          sums[1 + i] = {scored(model, harmed), sums[0].zero};
        }
        return sums;
      });
  std::vector<AttackResult> results(1 + radii.size());
  const auto count = static_cast<double>(examples);
  for (std::size_t i = 0; i < results.size(); ++i) {
    results[i].radius = i == 0 ? 0 : radii[i - 1];
    for (const auto& sums : blocks) {
      results[i].loss += sums[i].answers.loss / count;
      results[i].accuracy += sums[i].answers.right / count;
      results[i].zero_gradients += sums[i].zero / count;
    }
  }
  return results;
}

bool loss_rises(const std::vector<AttackResult>& results) {
  for (std::size_t i = 1; i < results.size(); ++i)
    if (!(results[i].loss >= results[i - 1].loss)) return false;
  return results.size() > 1 && results.back().loss > results.front().loss;
}

}  // namespace attest::evaluation
