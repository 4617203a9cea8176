// Confidence sequence for the mean of sub-Gaussian observations.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/statistics/compensated_sum.hpp"
#include "kernels/statistics/interval.hpp"

namespace attest::statistics {

/// Robbins' normal-mixture confidence sequence, running intersection at the end of every update.
///
/// Assumption, which the caller must be able to prove: the observations are independent with a common mean and
/// E exp(t (X - mean)) <= exp(t^2 sigma^2 / 2) for all t. With V = n sigma^2 and S = sum (X_i - mean),
/// P(exists n: |S| >= sqrt((V + rho) log((V + rho)/(rho alpha^2)))) <= alpha, and the one-sided boundary is
/// sqrt(2 (V + rho) log(1 + sqrt((V + rho)/rho)/(2 alpha))) (Howard, Ramdas, McAuliffe and Sekhon, "Time-uniform,
/// nonparametric, nonasymptotic confidence sequences", 2021, Eqs 14 and 16); rho is chosen so that the interval is
/// narrowest near `tuned_samples`.
/// Errors: std::invalid_argument for alpha outside (0, 1), sigma not positive and finite, or an observation that is not
/// finite (the message names its index and value).
class SubGaussianSequence {
 public:
  SubGaussianSequence(double sigma, double alpha, Sides sides = Sides::two_sided, double tuned_samples = 1e4);

  /// Feeds observations in sample order and revises the interval.
  void update(std::span<const double> observations);
  /// The confidence interval now; infinite before the first observation.
  Interval interval() const { return interval_; }
  /// Number of observations seen.
  std::uint64_t samples() const { return samples_; }
  /// Sample mean, 0 before the first observation.
  double mean() const { return samples_ == 0 ? 0.0 : sum_.value() / static_cast<double>(samples_); }

 private:
  double sigma_, alpha_, rho_;
  Sides sides_;
  CompensatedSum sum_;
  std::uint64_t samples_ = 0;
  Interval interval_;
};

}  // namespace attest::statistics
