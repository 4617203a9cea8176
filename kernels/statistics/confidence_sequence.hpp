// Confidence sequences for the mean of bounded observations: intervals that are valid at every stopping time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/statistics/interval.hpp"
#include "kernels/statistics/welford.hpp"

namespace attest::statistics {

/// Known bounds of an observation, lower < upper, both finite.
struct Range {
  double lower = 0;
  double upper = 1;
};

/// Empirical-Bernstein confidence sequence with predictable plug-in bets (Waudby-Smith and Ramdas, "Estimating means of
/// bounded random variables by betting", 2024, Theorem 2), running intersection.
///
/// P(mean outside interval() after some update) <= alpha for independent observations in `range` with a common mean
/// (more generally: a common conditional mean given the past). Cost and memory per observation are constant.
/// Errors: std::invalid_argument for an alpha outside (0, 1), an empty or infinite range, and for an observation that
/// is NaN or outside the range (the message names its index and value).
class EmpiricalBernsteinSequence {
 public:
  EmpiricalBernsteinSequence(Range range, double alpha, Sides sides = Sides::two_sided);

  /// Feeds observations in sample order; the result does not depend on how they are cut into blocks.
  void update(std::span<const double> observations);
  /// The confidence interval now, within the range.
  Interval interval() const;
  /// Number of observations seen.
  std::uint64_t samples() const { return moments_.count(); }
  /// Sample mean, in the observations' units.
  double mean() const;

 private:
  Range range_;
  Sides sides_;
  double log_level_;
  Welford moments_;  // of the observations scaled to [0, 1]
  double predictable_squares_ = 0.25;
  double bets_ = 0, weighted_ = 0, variance_penalty_ = 0;
  Interval unit_{0, 1};
};

/// Betting confidence sequence with a mixture of constant bets, running intersection at the end of every update.
///
/// For observations x_i scaled to [0, 1] and a candidate mean m, the capital of the bets u_k = 0.96 * 2^-k on "the mean
/// is above m" is the average over k of prod_i (1 + u_k (x_i/m - 1)). It is a non-negative martingale under mean m and
/// non-increasing in m, so by Ville's inequality every m at which it has ever reached 1/alpha can be excluded together
/// with all smaller ones. The logarithm is bounded below by Fan's inequality
///   log(1 + u y) >= u y - (-log(1 - u) - u) y^2   for y >= -1, 0 <= u < 1,
/// so that count, mean and sum of squares suffice: memory is constant and the ends are found by bisection. The upper
/// end bets on 1 - x. The mixture costs log 20 in the capital and leaves a half width within about 1.2 of the sigma
/// sqrt(2 log(1/alpha)/n) that a fixed sample size would give, at every n.
///
/// Guarantee, assumptions and errors as for EmpiricalBernsteinSequence. `update` may be fed blocks of any size; the
/// interval is revised once per call, so it depends on the cuts (callers use fixed blocks) but is valid for any.
class BettingSequence {
 public:
  BettingSequence(Range range, double alpha, Sides sides = Sides::two_sided);

  /// Feeds observations in sample order and revises the interval.
  void update(std::span<const double> observations);
  /// The confidence interval now, within the range.
  Interval interval() const;
  /// Number of observations seen.
  std::uint64_t samples() const { return moments_.count(); }
  /// Sample mean, in the observations' units.
  double mean() const;
  /// Unbiased sample variance, in the observations' units squared.
  double variance() const;

 private:
  Range range_;
  Sides sides_;
  double log_level_;
  Welford moments_;  // of the observations scaled to [0, 1]
  Interval unit_{0, 1};
};

/// The lower end that BettingSequence derives, at level alpha on that end, from `samples` observations in [0, 1] with
/// the given mean and mean squared deviation from it; never below `floor`, which is returned when nothing is gained.
/// Used by the power computation, which asks what end a typical sample gives.
double betting_lower_end(double samples, double mean, double mean_square_deviation, double alpha, double floor);

}  // namespace attest::statistics
