// Confidence sequence for the mean of an unbounded quantity with a bounded moment.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/statistics/confidence_sequence.hpp"

namespace attest::statistics {

/// Confidence sequence for E X of unbounded, independent X through truncation.
///
/// Assumption, which the caller must be able to prove: E |X|^p <= M with p > 1. The observations are clipped to
/// [-tau, tau], whose mean a BettingSequence encloses, and the ends are moved out by the bias
///   |E X - E clip(X)| <= E |X| 1{|X| > tau} <= M / tau^(p - 1).
/// With `non_negative` set, X >= 0 is assumed, the range is [0, tau] and the lower end needs no moment at all, because
/// clipping only lowers the mean; then only the upper end is moved.
/// Errors: std::invalid_argument for p <= 1, M or tau not positive and finite, alpha outside (0, 1), an observation
/// that is NaN, or a negative one where X >= 0 was stated.
class TruncatedMeanSequence {
 public:
  /// The moment that bounds what truncation hides.
  struct Moment {
    double order;  ///< p
    double bound;  ///< M
  };
  TruncatedMeanSequence(Moment moment, double tau, bool non_negative, double alpha, Sides sides = Sides::two_sided);

  /// Feeds observations in sample order and revises the interval.
  void update(std::span<const double> observations);
  /// The confidence interval for E X now.
  Interval interval() const;
  /// Number of observations seen.
  std::uint64_t samples() const { return clipped_.samples(); }
  /// Mean of the clipped observations.
  double mean() const { return clipped_.mean(); }
  /// M / tau^(p - 1), by how far an end is moved.
  double bias() const { return bias_; }

 private:
  double tau_;
  bool non_negative_;
  double bias_;
  BettingSequence clipped_;
  std::vector<double> buffer_;
};

}  // namespace attest::statistics
