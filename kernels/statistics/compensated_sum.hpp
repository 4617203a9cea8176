// Summation whose rounding error does not grow with the number of terms.
#pragma once

#include <cmath>

namespace attest::statistics {

/// Neumaier's compensated sum: |result - sum| <= 2u|sum| + O(n u^2) sum |x_i|, u = 2^-53, for terms added in any fixed
/// order. Infinite or NaN terms make the value NaN or infinite; nothing is skipped.
class CompensatedSum {
 public:
  /// Adds one term.
  void add(double term) {
    const double total = sum_ + term;
    // The smaller operand is the one whose low bits were lost.
    correction_ += std::abs(sum_) >= std::abs(term) ? (sum_ - total) + term : (term - total) + sum_;
    sum_ = total;
  }
  /// The sum so far, 0 before the first term.
  double value() const { return sum_ + correction_; }

 private:
  double sum_ = 0;
  double correction_ = 0;
};

}  // namespace attest::statistics
