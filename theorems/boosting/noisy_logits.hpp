// Logits, noise laws and the perturbation statistic on which Theorem 3.2 and its companions are simulated.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "kernels/random/laws.hpp"

namespace attest::boosting {

/// Noise in R^N with mean 0 and covariance the identity.
struct Noise {
  std::string name;
  std::function<void(random::Stream&, std::span<double>)> fill;
};

/// Independent coordinates of one law.
Noise independent_noise(const random::Law& law);

/// Gaussian, Rademacher, uniform, Laplace, Student t_5 and sparse three-point (p = 0.1), all of mean 0 and variance 1.
std::vector<random::Law> six_laws();

/// Independent coordinates of each of `six_laws`.
std::vector<Noise> six_noises();

/// +-sqrt(N) on one coordinate drawn uniformly, 0 elsewhere: uncorrelated, not independent, and of constant norm
/// sqrt(N).
Noise one_coordinate_noise();

/// `leading` logits of 0 and n - leading logits of -gap.
std::vector<double> leading_logits(std::size_t n, std::size_t leading, double gap);

/// n logits drawn once from a normal law of standard deviation `scale` (a fixed stream, the same in every run).
std::vector<double> normal_logits(std::size_t n, double scale);

/// The statistic |softmax(c + sigma eta) - softmax(c)| of one draw of the noise, in [0, sqrt(2)].
std::function<double(random::Stream&)> perturbation(std::vector<double> c, Noise noise, double sigma);

/// An upper end of the statistic's range: sqrt(2) and what rounding may add.
constexpr double largest_perturbation = 1.4142135623730951 + 1e-12;

}  // namespace attest::boosting
