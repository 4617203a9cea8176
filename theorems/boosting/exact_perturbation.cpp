#include "theorems/boosting/exact_perturbation.hpp"

#include <algorithm>

namespace attest::boosting {
namespace {

using rigor::Ball;
using rigor::BallVector;

/// A group of `count` coordinates whose softmax weight moves from `before` to `after`: its part of the squared norm.
Ball squared_move(std::int64_t count, const Ball& before, const Ball& after) {
  return Ball(count) * rigor::square(after - before);
}

/// sqrt of a number known to be >= 0 whose enclosure may reach below.
Ball root(const Ball& x) {
  if (x.is_nonnegative()) return rigor::sqrt(x);
  return Ball::hull(Ball(0), rigor::sqrt(Ball(std::max(x.upper(), 0.0))));
}

}  // namespace

BallVector binomial_probabilities(std::int64_t n, const Ball& success) {
  BallVector result(static_cast<std::size_t>(n + 1));
  const Ball failure = Ball(1) - success;
  // C(n, k) exactly, one factor a step, and powers built up from both ends: no division by a probability that may be 0.
  BallVector failures(result.size());
  failures[0] = 1;
  for (std::size_t k = 1; k < failures.size(); ++k) failures[k] = failures[k - 1] * failure;
  Ball choices = 1, successes = 1;
  for (std::int64_t k = 0; k <= n; ++k) {
    result[static_cast<std::size_t>(k)] = choices * successes * failures[static_cast<std::size_t>(n - k)];
    choices = choices * Ball(n - k) / Ball(k + 1);
    successes = successes * success;
  }
  return result;
}

Ball two_level_perturbation(std::int64_t high, std::int64_t low, const Ball& spread, const Ball& sigma) {
  const Ball top = rigor::exp(spread), up = rigor::exp(sigma), down = rigor::exp(-sigma),
             half = Ball::from_rational(1, 2);
  const Ball before = Ball(1) / (top * Ball(high) + Ball(low));
  const BallVector high_signs = binomial_probabilities(high, half), low_signs = binomial_probabilities(low, half);
  Ball expectation = 0;
  for (std::int64_t i = 0; i <= high; ++i) {
    for (std::int64_t j = 0; j <= low; ++j) {
      const Ball total = top * (up * Ball(i) + down * Ball(high - i)) + up * Ball(j) + down * Ball(low - j);
      const Ball high_up = top * up / total, high_down = top * down / total, low_up = up / total,
                 low_down = down / total;
      const Ball squares = squared_move(i, top * before, high_up) + squared_move(high - i, top * before, high_down) +
                           squared_move(j, before, low_up) + squared_move(low - j, before, low_down);
      expectation += high_signs[static_cast<std::size_t>(i)] * low_signs[static_cast<std::size_t>(j)] * root(squares);
    }
  }
  return expectation;
}

Ball sparse_noise_perturbation(std::int64_t n, const Ball& p, const Ball& height, int most_spikes) {
  const Ball up = rigor::exp(height), down = rigor::exp(-height), before = Ball(1) / Ball(n);
  const Ball log_rest = rigor::log1p(-p), half = Ball::from_rational(1, 2);
  const auto most = std::min<std::int64_t>(n, most_spikes);
  Ball expectation = 0, covered = 0, choices = 1;
  for (std::int64_t spikes = 0; spikes <= most; ++spikes) {
    // P(spikes) = C(n, spikes) p^spikes (1 - p)^(n - spikes); the signs of the spikes are fair.
    const Ball probability = choices * rigor::pow_integer(p, spikes) * rigor::exp(Ball(n - spikes) * log_rest);
    covered += probability;
    const BallVector signs = binomial_probabilities(spikes, half);
    for (std::int64_t positive = 0; positive <= spikes; ++positive) {
      const std::int64_t negative = spikes - positive, rest = n - spikes;
      const Ball total = up * Ball(positive) + down * Ball(negative) + Ball(rest);
      const Ball squares = squared_move(positive, before, up / total) + squared_move(negative, before, down / total) +
                           squared_move(rest, before, Ball(1) / total);
      expectation += probability * signs[static_cast<std::size_t>(positive)] * root(squares);
    }
    choices = choices * Ball(n - spikes) / Ball(spikes + 1);
  }
  if (most == n) return expectation;
  const Ball uncovered = rigor::max(Ball(1) - covered, Ball(0));
  return expectation + Ball::hull(Ball(0), rigor::sqrt(Ball(2)) * uncovered);
}

Ball alternating_output_perturbation(std::int64_t n, const Ball& sigma) {
  const Ball up = rigor::exp(sigma), down = rigor::exp(-sigma);
  const std::int64_t half = n / 2;
  const BallVector signs = binomial_probabilities(half, Ball::from_rational(1, 2));
  Ball expectation = 0;
  for (std::int64_t i = 0; i <= half; ++i) {
    for (std::int64_t j = 0; j <= half; ++j) {
      // Flat weights give 1/n - 1/n + ... = 0 before; after, only the difference of the groups' positive signs counts.
      const Ball total = up * Ball(i + j) + down * Ball(n - i - j);
      const Ball output = (up - down) * Ball(i - j) / total;
      expectation += signs[static_cast<std::size_t>(i)] * signs[static_cast<std::size_t>(j)] * rigor::abs(output);
    }
  }
  return expectation;
}

}  // namespace attest::boosting
