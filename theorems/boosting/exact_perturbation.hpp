// Expected softmax perturbations that are finite sums, enclosed: logits on few levels, noise on few values.
#pragma once

#include <cstdint>

#include "kernels/rigor/ball_vector.hpp"

namespace attest::boosting {

/// P(K = k), k = 0..n, for K binomial(n, success). Precondition: 0 <= n, success a ball inside [0, 1].
rigor::BallVector binomial_probabilities(std::int64_t n, const rigor::Ball& success);

/// E |softmax(c + eta) - softmax(c)| for `high` logits equal to `spread` and `low` logits equal to 0 under independent
/// noise eta_i = +-sigma (Rademacher): the sum over the numbers of positive signs in both groups, (high + 1)(low + 1)
/// terms. Precondition: high + low >= 1.
rigor::Ball two_level_perturbation(std::int64_t high, std::int64_t low, const rigor::Ball& spread,
                                   const rigor::Ball& sigma);

/// E |softmax(eta) - softmax(0)| in R^n for independent noise eta_i = +-height with probability p/2 each and 0
/// otherwise: the sum over at most `most_spikes` non-zero values, enclosed together with the rest, on which the norm is
/// at most sqrt(2).
rigor::Ball sparse_noise_perturbation(std::int64_t n, const rigor::Ball& p, const rigor::Ball& height, int most_spikes);

/// E |(softmax(eta) - softmax(0)) . v| for v = (1, -1, 1, -1, ...) in R^n, n even, under Rademacher noise of size
/// sigma.
rigor::Ball alternating_output_perturbation(std::int64_t n, const rigor::Ball& sigma);

}  // namespace attest::boosting
