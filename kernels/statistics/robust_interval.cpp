// The intervals of anytime_interval.hpp that rest on a bound of the variance or of the kurtosis.
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "kernels/statistics/anytime_interval.hpp"

namespace attest::statistics {
namespace {

/// Observations for which the first normal mixture is made.
constexpr double tuned_samples = 64;

/// Share of alpha for what is very far off.
constexpr double far_share = 0.01;

/// Far above what rounding does to logarithms of capital that are compared with a threshold below 2^10.
constexpr double rounding_slack = 1.0 / (1 << 24);

/// Variances of the mixtures, in units of one observation's variance, and the one for a sum of variance `weight` (in
/// the same unit).
struct Mixtures {
  double first;

  /// For levels near alpha: the first two terms of the expansion of the best (S. Howard, A. Ramdas, J. McAuliffe, J.
  /// Sekhon, "Time-uniform, nonparametric, nonasymptotic confidence sequences", 2021, Section 3.5).
  explicit Mixtures(double alpha) {
    const double level = -2 * std::log(alpha);
    first = tuned_samples / (level + std::log1p(level));
  }
  struct One {
    double variance, log_weight;
  };
  One near(double weight) const {
    const double j = std::max(0.0, std::round(std::log2(weight / tuned_samples) / 2));
    return {first * std::exp2(2 * j), -std::log((j + 1) * (j + 2))};
  }
};

double checked_log_level(const char* what, double alpha) {
  if (!(alpha > 0 && alpha < 1))
    throw std::invalid_argument(fmt::format("{}: alpha = {} is not in (0, 1)", what, alpha));
  return -std::log(alpha) + rounding_slack;
}

/// The largest x = sum Z below which every x is left out, at level alpha.
double least_sum(double n, double kurtosis, double alpha) {
  double least = 0, bet = 1 / kurtosis;
  for (int k = 0; k < 64; ++k, bet /= 2) {
    const double log_capital = -n * std::log1p(-bet + bet * bet * kurtosis / 2);
    const double spare =
        log_capital - checked_log_level("kurtosis_mean_interval", alpha) - std::log((k + 1.0) * (k + 2));
    least = std::max(least, spare / bet);
    if (log_capital < 1) break;  // smaller bets gain less than the level alone costs
  }
  return least;
}

/// The T of kurtosis_mean_interval: the mean is left out where n^2 d^2/sum (X_i - m)^2 >= T.
double threshold(double n, double kurtosis, double alpha) {
  const double lower_alpha = alpha / 4, upper_alpha = far_share * alpha, mean_alpha = alpha - lower_alpha - upper_alpha;
  const double log_level = checked_log_level("kurtosis_mean_interval", mean_alpha);
  const double least = least_sum(n, kurtosis, lower_alpha), largest = 2 * n + (kurtosis - 1) / upper_alpha;
  if (!(least > 0)) return std::numeric_limits<double>::infinity();
  const Mixtures mixtures(mean_alpha);
  double most = 0;
  // Between x and the next the gain is least at the one end and the cost largest at the other.
  constexpr double step = 1.125;
  for (double x = least; x < largest; x *= step) {
    const double weight = (x + 2 * n) / 3, next = (step * x + 2 * n) / 3;
    const auto [variance, log_weight] = mixtures.near(weight);
    const double gain = x / (2 * (weight + variance));
    most = std::max(most, (log_level + std::log1p(next / variance) / 2 - log_weight) / gain);
  }
  return most;
}

}  // namespace

Interval variance_mean_interval(const Welford& moments, double variance, double alpha) {
  checked_log_level("variance_mean_interval", alpha);
  const double log_level = checked_log_level("variance_mean_interval", alpha * (1 - far_share));
  if (!(variance >= 0 && std::isfinite(variance)))
    throw std::invalid_argument(
        fmt::format("variance_mean_interval: a variance of {} is not finite and at least 0", variance));
  if (moments.count() == 0) return {};
  if (variance == 0) return {moments.mean(), moments.mean()};
  // In units of the variance: u = (mean - m)^2, squares about the sample mean q.
  const auto n = static_cast<double>(moments.count());
  const double q = moments.sum_of_squares() / variance;
  const Mixtures mixtures(alpha);
  // What lies far off is left out by Dubins' and Savage's inequality, |S| < a + b n variance, so that no more of the
  // mixture need be looked at.
  const double product = 2 / (far_share * alpha) - 1, far = std::sqrt(product) * (4 / n + 0.25);
  double u = far * far;
  constexpr int most_steps = 1000;
  constexpr double close = 1e-6;
  for (int i = 0; i < most_steps; ++i) {
    const double weight = (q + n * u + 2 * n) / 3;
    const auto [mixed, log_weight] = mixtures.near(weight);
    const double gain = n * n * u / (2 * (weight + mixed));
    const double spare = gain - std::log1p(weight / mixed) / 2 + log_weight - log_level;
    // For a smaller u the same mixture gains at least gain u/(this u) and costs less.
    if (!(spare > close * gain)) break;
    u *= 1 - spare / gain;
  }
  const double half = std::sqrt(u * variance);
  return {moments.mean() - half, moments.mean() + half};
}

Interval kurtosis_mean_interval(const Welford& moments, double kurtosis, double alpha) {
  checked_log_level("kurtosis_mean_interval", alpha);
  if (!(kurtosis >= 1 && std::isfinite(kurtosis)))
    throw std::invalid_argument(
        fmt::format("kurtosis_mean_interval: a kurtosis of {} is not finite and at least 1", kurtosis));
  const auto n = static_cast<double>(moments.count());
  if (moments.count() < 2 || !(moments.sum_of_squares() > 0)) return {};
  const double t = threshold(n, kurtosis, alpha);
  if (!(t < n)) return {};
  const double half = std::sqrt(t * moments.sum_of_squares() / (n * (n - t)));
  return {moments.mean() - half, moments.mean() + half};
}

}  // namespace attest::statistics
