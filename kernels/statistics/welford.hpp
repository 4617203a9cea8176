// Mean and variance in one pass.
#pragma once

#include <cstdint>

namespace attest::statistics {

/// Running mean and sum of squared deviations (Welford), with the pairwise merge of Chan, Golub and LeVeque. The result
/// is a function of the order of `add` and `merge` calls only: merge blocks in a fixed order for reproducible bits.
class Welford {
 public:
  /// Adds one observation; NaN makes every later result NaN.
  void add(double observation) {
    ++count_;
    const double before = observation - mean_;
    mean_ += before / static_cast<double>(count_);
    squares_ += before * (observation - mean_);
  }
  /// Appends the observations that `other` has seen.
  void merge(const Welford& other) {
    if (other.count_ == 0) return;
    if (count_ == 0) {
      *this = other;
      return;
    }
    const auto mine = static_cast<double>(count_);
    const auto theirs = static_cast<double>(other.count_);
    const double difference = other.mean_ - mean_;
    count_ += other.count_;
    mean_ += difference * (theirs / (mine + theirs));
    squares_ += other.squares_ + difference * difference * (mine * theirs / (mine + theirs));
  }
  /// Number of observations.
  std::uint64_t count() const { return count_; }
  /// Sample mean, 0 before the first observation.
  double mean() const { return mean_; }
  /// sum_i (x_i - mean)^2.
  double sum_of_squares() const { return squares_; }
  /// Unbiased sample variance; 0 for fewer than two observations.
  double variance() const { return count_ < 2 ? 0.0 : squares_ / static_cast<double>(count_ - 1); }

 private:
  std::uint64_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;
};

}  // namespace attest::statistics
