// A number that counts the operations done with it.
#pragma once

#include <cmath>

namespace attest::attention::plain {

struct Tally {
  double macs = 0, others = 0;
  double flops() const { return 2 * macs + others; }
};

/// A double whose arithmetic is counted in `Counted::tally()`, by the conventions of attention::Cost.
class Counted {
 public:
  Counted() = default;
  Counted(double value) : value_(value) {}  // NOLINT(google-explicit-constructor): stands where a double stands
  double value() const { return value_; }
  static Tally& tally() {
    static thread_local Tally counts;
    return counts;
  }
  friend Counted operator+(Counted a, Counted b) { return other(a.value_ + b.value_); }
  friend Counted operator-(Counted a, Counted b) { return other(a.value_ - b.value_); }
  friend Counted operator*(Counted a, Counted b) { return other(a.value_ * b.value_); }
  friend Counted operator/(Counted a, Counted b) { return other(a.value_ / b.value_); }
  friend Counted operator-(Counted a) { return other(-a.value_); }
  friend Counted maximum(Counted a, Counted b) { return other(a.value_ < b.value_ ? b.value_ : a.value_); }
  friend Counted exponent(Counted a) { return other(std::exp(a.value_)); }
  friend Counted logarithm(Counted a) { return other(std::log(a.value_)); }
  friend Counted square_root(Counted a) { return other(std::sqrt(a.value_)); }
  friend bool operator<(Counted a, Counted b) { return other(0), a.value_ < b.value_; }
  friend Counted multiply_add(Counted acc, Counted a, Counted b) {
    ++tally().macs;
    return Counted(acc.value_ + a.value_ * b.value_);
  }

 private:
  static Counted other(double value) {
    ++tally().others;
    return Counted(value);
  }
  double value_ = 0;
};

}  // namespace attest::attention::plain
