// Adam and AdamW, and the loops over gradients around them.
#pragma once

#include <span>

#include "simulations/experiment/experiment.hpp"

namespace attest::training {

using attention::Index;
using experiment::TrainingSpec;

/// The moments of one parameter.
struct AdamMoments {
  std::span<float> first, second;
};

/// One step, `step` = 1, 2, ... (Kingma and Ba 2015, Algorithm 1; decoupled decay: Loshchilov and Hutter 2019):
/// m = b1 m + (1 - b1) g, v = b2 v + (1 - b2) g^2, w -= rate (m / (1 - b1^step)) / (sqrt(v / (1 - b2^step)) + epsilon),
/// where before AdamW takes rate decay w off w, and Adam adds decay w to g. `decay` is 0 for what does not decay.
void adam_step(const TrainingSpec& training, Index step, double rate, double decay, std::span<float> weights,
               std::span<const float> gradient, AdamMoments moments);

/// gradient = share part, or gradient += share part unless `first`.
void add_gradient(std::span<float> gradient, std::span<const float> part, float share, bool first);

/// The sum of squares, in double, of eight interleaved sums: the same bits on every processor.
double square_sum(std::span<const float> values);

/// values *= factor.
void scale(std::span<float> values, float factor);

}  // namespace attest::training
