// The gradients of attention, row by row, with bounds on what rounding may do to them.
#pragma once

#include <cmath>
#include <vector>

#include "simulations/judge/reference/attention_reference.hpp"
#include "simulations/judge/reference/softmax_row.hpp"

namespace attest::judge {

/// A sum of the result, of its terms' bounds and of its terms' magnitudes.
template <typename T>
struct Sums {
  std::vector<T> value;
  std::vector<double> error, magnitude;

  void resize(std::size_t count) {
    value.assign(count, T(0));
    error.assign(count, 0.0);
    magnitude.assign(count, 0.0);
  }
  void add(std::size_t n, T factor, double factor_error, double other) {
    value[n] += factor * static_cast<T>(other);
    error[n] += factor_error * std::abs(other);
    magnitude[n] += std::abs(static_cast<double>(factor) * other);
  }
};

/// dQ, dK, dV and the bias's gradient of sum(out dout) + sum(lse dlse). T: double or long double. Holds references:
/// reading and truth must outlive it.
template <typename T>
class GradientSums {
 public:
  /// `truth`: what the forward pass saved, needed when the semantics say saved_forward. Precondition: the problem has
  /// dout.
  GradientSums(const Reading& reading, const Expected* truth);

  /// Adds row (b, h, i), whose output is already in `expected`; `row_error`: how far a weight of the row may be off
  /// because of the row as a whole.
  void add_row(Index b, Index h, Index i, SoftmaxRow<T>& row, double row_error, const Expected& expected);

  /// Writes the gradients into `expected`.
  void finish(Expected& expected) const;

 private:
  void fill_dp(Index b, Index h, std::size_t number, const SoftmaxRow<T>& row);
  void fill_row_sum(std::size_t number, const SoftmaxRow<T>& row, double row_error, const Expected& expected);
  bool counts_for_keys(Index h) const;
  void write(const Sums<T>& sums, Index terms, double factor, Judged& to) const;

  const Reading& r_;
  const Problem& p_;
  const Expected* truth_;
  const double u_, w_;
  Sums<T> dq_, dk_, dv_, dbias_;
  // Of the row at hand: dP_j and its bound, the sum of p_j dP_j and its bound.
  std::vector<T> dp_;
  std::vector<double> dp_error_;
  T row_sum_ = 0;
  double row_sum_bound_ = 0;
};

}  // namespace attest::judge
