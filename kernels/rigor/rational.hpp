// Exact rational numbers (FLINT's fmpq): constants of statements, ends of boxes, inputs of witnesses.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#if __has_include(<flint/fmpq.h>)
#include <flint/fmpq.h>
#else
#include <fmpq.h>
#endif

#include "kernels/rigor/ball.hpp"

namespace attest::rigor {

/// A rational number in lowest terms, of any size.
class Rational {
 public:
  /// 0.
  Rational() noexcept { fmpq_init(value_); }
  Rational(std::int64_t numerator, std::int64_t denominator = 1);  // NOLINT(google-explicit-constructor)
  Rational(const Rational& other) : Rational() { fmpq_set(value_, other.value_); }
  Rational(Rational&& other) noexcept : Rational() { fmpq_swap(value_, other.value_); }
  Rational& operator=(const Rational& other) {
    fmpq_set(value_, other.value_);
    return *this;
  }
  Rational& operator=(Rational&& other) noexcept {
    fmpq_swap(value_, other.value_);
    return *this;
  }
  ~Rational() { fmpq_clear(value_); }

  /// The double itself. Errors: std::invalid_argument for an infinity or NaN.
  static Rational from_double(double value);
  /// "12", "0.71", "-2.5e-3", "22/7". Errors: std::invalid_argument for anything else and for a denominator of 0.
  static Rational from_text(std::string_view text);

  friend Rational operator+(const Rational& a, const Rational& b);
  friend Rational operator-(const Rational& a, const Rational& b);
  friend Rational operator*(const Rational& a, const Rational& b);
  /// Errors: std::invalid_argument where b is 0.
  friend Rational operator/(const Rational& a, const Rational& b);
  friend Rational operator-(const Rational& a);
  friend bool operator==(const Rational& a, const Rational& b) { return fmpq_equal(a.value_, b.value_) != 0; }
  friend std::strong_ordering operator<=>(const Rational& a, const Rational& b) {
    return fmpq_cmp(a.value_, b.value_) <=> 0;
  }

  bool is_whole() const { return fmpz_is_one(fmpq_denref(value_)) != 0; }
  /// How many bits its numerator and denominator have together.
  std::int64_t bits() const {
    return static_cast<std::int64_t>(fmpz_bits(fmpq_numref(value_)) + fmpz_bits(fmpq_denref(value_)));
  }
  /// The nearest double.
  double to_double() const;
  /// An enclosure at the thread's working precision, exact where the number fits.
  Ball to_ball() const;
  /// The number as std::int64_t. Errors: std::out_of_range where it is not whole or too large.
  std::int64_t to_integer() const;
  /// A finite decimal where it has one of at most 17 digits, otherwise "p/q".
  std::string to_string() const;

  fmpq* raw() noexcept { return value_; }
  const fmpq* raw() const noexcept { return value_; }

 private:
  fmpq_t value_;
};

}  // namespace attest::rigor
