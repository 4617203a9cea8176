// Real numbers known to lie in an interval: midpoint and radius, every operation rounded outwards (Arb, part of FLINT
// 3).
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>

#if __has_include(<flint/arb.h>)
#include <flint/arb.h>
#else
#include <arb.h>
#endif

namespace attest::rigor {

/// An enclosure [m - r, m + r] of a real number.
///
/// Every operation returns a ball that contains f(x, ...) for all x, ... in the operands' balls. Results are rounded to
/// the thread's working precision (`PrecisionScope`, 128 bits by default). Where f is not defined on the whole of an
/// operand (division by a ball with zero in it, log of a ball that reaches 0, ...) the result is not finite: it
/// contains everything, every "certain" query about it answers false, and no exception is thrown.
class Ball {
 public:
  /// Exactly 0.
  Ball() noexcept { arb_init(value_); }
  /// Exactly `value`; an infinity or NaN gives a ball that is not finite.
  template <typename T>
  requires std::same_as<T, double> || std::same_as<T, float> Ball(T value)
      : Ball() {  // NOLINT(google-explicit-constructor): literals mix with balls in formulas.
    arb_set_d(value_, static_cast<double>(value));
  }
  /// Exactly `value`.
  template <std::integral T>
  Ball(T value) : Ball() {  // NOLINT(google-explicit-constructor)
    if constexpr (std::is_signed_v<T>) {
      arb_set_si(value_, static_cast<slong>(value));
    } else {
      arb_set_ui(value_, static_cast<ulong>(value));
    }
  }
  Ball(const Ball& other) : Ball() { arb_set(value_, other.value_); }
  Ball(Ball&& other) noexcept : Ball() { arb_swap(value_, other.value_); }
  Ball& operator=(const Ball& other) {
    arb_set(value_, other.value_);
    return *this;
  }
  Ball& operator=(Ball&& other) noexcept {
    arb_swap(value_, other.value_);
    return *this;
  }
  ~Ball() { arb_clear(value_); }

  /// numerator / denominator. Throws std::invalid_argument where the denominator is 0.
  static Ball from_rational(std::int64_t numerator, std::int64_t denominator);
  /// The number written in `decimal`: "0.1", "-2.5e-3", or an interval "[1.5 +/- 0.01]". Throws std::invalid_argument
  /// where it is none of these.
  static Ball from_decimal(const std::string& decimal);
  static Ball pi();
  /// The constant e.
  static Ball e();
  /// A ball around both arguments.
  static Ball hull(const Ball& a, const Ball& b);

  Ball& operator+=(const Ball& other);
  Ball& operator-=(const Ball& other);
  Ball& operator*=(const Ball& other);
  Ball& operator/=(const Ball& other);
  friend Ball operator+(const Ball& a, const Ball& b);
  friend Ball operator-(const Ball& a, const Ball& b);
  friend Ball operator*(const Ball& a, const Ball& b);
  friend Ball operator/(const Ball& a, const Ball& b);
  friend Ball operator-(const Ball& a);

  /// The midpoint, rounded to the nearest double.
  double mid() const;
  /// An upper bound of the radius.
  double radius() const;
  /// A double that no number in the ball is below; -infinity where the ball is not finite.
  double lower() const;
  /// A double that no number in the ball is above; +infinity where the ball is not finite.
  double upper() const;

  bool is_finite() const;
  /// True where midpoint is the number itself.
  bool is_exact() const;
  bool contains_zero() const;
  bool contains(double x) const;
  bool contains(const Ball& inner) const;
  /// Certainly > 0, < 0, >= 0, <= 0: false where the ball holds any number for which it is not so.
  bool is_positive() const;
  bool is_negative() const;
  bool is_nonnegative() const;
  bool is_nonpositive() const;

  /// True for a finite ball known to 20 bits or fewer. Sums, products, quotients and powers with wide balls are
  /// computed from their ends: midpoint and radius are quicker, but tight for narrow balls only.
  bool is_wide() const;
  /// About -log2(radius / |midpoint|): the number of correct leading bits.
  std::int64_t relative_accuracy_bits() const;
  /// Decimal midpoint and radius, e.g. "[0.333 +/- 4e-4]"; every printed digit is correct to within one unit, and fewer
  /// than `digits` are printed where the ball does not know as many.
  std::string to_string(int digits = 15) const;

  /// The underlying Arb number, for functions that this class lacks.
  arb_ptr raw() noexcept { return value_; }
  arb_srcptr raw() const noexcept { return value_; }

 private:
  arb_t value_;
};

/// a < b (a <= b) for every choice of numbers from the two balls.
bool certainly_less(const Ball& a, const Ball& b);
bool certainly_less_equal(const Ball& a, const Ball& b);
/// The two balls have a number in common.
bool overlaps(const Ball& a, const Ball& b);

/// Working precision of the calling thread in bits, 128 unless a `PrecisionScope` is alive.
std::int64_t working_precision();

/// Sets the calling thread's working precision for the lifetime of the object.
class PrecisionScope {
 public:
  /// Throws std::invalid_argument unless 2 <= bits <= 1,000,000.
  explicit PrecisionScope(std::int64_t bits);
  ~PrecisionScope();
  PrecisionScope(const PrecisionScope&) = delete;
  PrecisionScope& operator=(const PrecisionScope&) = delete;

 private:
  std::int64_t previous_;
};

}  // namespace attest::rigor

// The elementary and special functions belong to the type: whoever includes the one needs the other.
#include "kernels/rigor/ball_functions.hpp"
