#include "kernels/statistics/truncated_mean.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

namespace attest::statistics {
namespace {

double checked_bias(TruncatedMeanSequence::Moment moment, double tau) {
  if (!(moment.order > 1 && std::isfinite(moment.order)))
    throw std::invalid_argument(
        fmt::format("TruncatedMeanSequence: the moment's order p = {} is not above 1", moment.order));
  if (!(moment.bound > 0 && std::isfinite(moment.bound) && tau > 0 && std::isfinite(tau)))
    throw std::invalid_argument(
        fmt::format("TruncatedMeanSequence: M = {} and tau = {} are not both positive and finite", moment.bound, tau));
  return moment.bound / std::pow(tau, moment.order - 1);
}

}  // namespace

TruncatedMeanSequence::TruncatedMeanSequence(Moment moment, double tau, bool non_negative, double alpha, Sides sides)
    : tau_(tau),
      non_negative_(non_negative),
      bias_(checked_bias(moment, tau)),
      clipped_({non_negative ? 0.0 : -tau, tau}, alpha, sides) {}

void TruncatedMeanSequence::update(std::span<const double> observations) {
  buffer_.assign(observations.begin(), observations.end());
  // std::clamp passes NaN on, and a value below the stated range stays below it: the bounded sequence refuses both.
  for (double& observation : buffer_)
    observation = non_negative_ ? std::min(observation, tau_) : std::clamp(observation, -tau_, tau_);
  clipped_.update(buffer_);
}

Interval TruncatedMeanSequence::interval() const {
  const Interval inner = clipped_.interval();
  return {non_negative_ ? inner.lower : inner.lower - bias_, inner.upper + bias_};
}

}  // namespace attest::statistics
