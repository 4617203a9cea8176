// Simultaneous perturbation stochastic approximation: an attack that sees scores but no gradient.
#pragma once

#include <cstdint>
#include <vector>

#include "simulations/checkpoints/trained_model.hpp"
#include "simulations/evaluation/pixels.hpp"

namespace attest::evaluation {

using attention::Index;
using checkpoints::TrainedModel;

/// Uesato et al. 2018, "Adversarial Risk and the Dangers of Evaluating Against Weak Attacks", Algorithm 1; `difference`
/// and `rate` are theirs, of a pixel's range.
struct SpsaSpec {
  std::int64_t steps = 20;
  std::int64_t samples = 32;  ///< random directions of a step
  double difference = 0.01;   ///< half the distance between the two images of a direction
  double rate = 0.01;         ///< of Adam
};

/// The attacked images, Batch::values. The margin J(x) = score of the right class - best other score is lowered by Adam
/// (beta 0.9, 0.999) along the estimate g = mean over v of (J(x + d v) - J(x - d v))/(2 d) v with random signs v; after
/// each step the image goes back into the ball of the radius and the pixels' range. Directions are a pure function of
/// (seed, first + example, step). Precondition: two classes or more.
std::vector<float> spsa(const TrainedModel& model, const Batch& clean, const Pixels& pixels, double radius,
                        const SpsaSpec& spec, std::uint64_t seed, Index first);

}  // namespace attest::evaluation
