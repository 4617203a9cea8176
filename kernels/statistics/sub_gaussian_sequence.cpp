#include "kernels/statistics/sub_gaussian_sequence.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

namespace attest::statistics {

SubGaussianSequence::SubGaussianSequence(double sigma, double alpha, Sides sides, double tuned_samples)
    : sigma_(sigma), alpha_(alpha), sides_(sides) {
  if (!(alpha > 0 && alpha < 1))
    throw std::invalid_argument(fmt::format("SubGaussianSequence: alpha = {} is not in (0, 1)", alpha));
  if (!(sigma > 0 && std::isfinite(sigma)))
    throw std::invalid_argument(fmt::format("SubGaussianSequence: sigma = {} is not positive and finite", sigma));
  if (!(tuned_samples >= 1 && std::isfinite(tuned_samples)))
    throw std::invalid_argument(fmt::format("SubGaussianSequence: tuned_samples = {} is below 1", tuned_samples));
  // First two terms of the minimiser's expansion (Howard et al., Section 3.5); any rho > 0 is valid.
  const double log_level = -2 * std::log(alpha);
  rho_ = tuned_samples * sigma * sigma / (log_level + std::log1p(log_level));
}

void SubGaussianSequence::update(std::span<const double> observations) {
  if (observations.empty()) return;
  for (const double observation : observations) {
    if (!std::isfinite(observation))
      throw std::invalid_argument(
          fmt::format("SubGaussianSequence: observation {} = {} is not finite", samples_, observation));
    sum_.add(observation);
    ++samples_;
  }
  const auto n = static_cast<double>(samples_);
  const double variance = n * sigma_ * sigma_ + rho_;
  const double boundary = sides_ == Sides::two_sided
                              ? std::sqrt(variance * (std::log(variance / rho_) - 2 * std::log(alpha_)))
                              : std::sqrt(2 * variance * std::log1p(std::sqrt(variance / rho_) / (2 * alpha_)));
  if (sides_ != Sides::upper_only) interval_.lower = std::max(interval_.lower, mean() - boundary / n);
  if (sides_ != Sides::lower_only) interval_.upper = std::min(interval_.upper, mean() + boundary / n);
}

}  // namespace attest::statistics
