// Truncated power series, t^0 to t^(series_terms - 1), with balls or exact rational numbers for coefficients (Arb and
// FLINT).
#pragma once

#include <optional>

#if __has_include(<flint/arb_poly.h>)
#include <flint/arb_poly.h>
#include <flint/fmpq_poly.h>
#else
#include <arb_poly.h>
#include <fmpq_poly.h>
#endif

#include "kernels/rigor/rational.hpp"
#include "theorems/language/program/scalar.hpp"

namespace attest::referee {

inline constexpr int series_terms = 10;

/// Enclosures of the coefficients at the thread's working precision. Value type.
class BallSeries {
 public:
  BallSeries() noexcept { arb_poly_init(value_); }
  /// at + slope t.
  BallSeries(const rigor::Ball& at, int slope);
  BallSeries(const BallSeries& other) : BallSeries() { arb_poly_set(value_, other.value_); }
  BallSeries(BallSeries&& other) noexcept : BallSeries() { arb_poly_swap(value_, other.value_); }
  BallSeries& operator=(const BallSeries& other) {
    if (this != &other) arb_poly_set(value_, other.value_);
    return *this;
  }
  BallSeries& operator=(BallSeries&& other) noexcept {
    arb_poly_swap(value_, other.value_);
    return *this;
  }
  ~BallSeries() { arb_poly_clear(value_); }

  static std::optional<BallSeries> constant(const rigor::Rational& number) { return BallSeries(number.to_ball(), 0); }
  static std::optional<BallSeries> constant(const rigor::Ball& number) { return BallSeries(number, 0); }
  rigor::Ball coefficient(int k) const;

  arb_poly_struct* raw() noexcept { return value_; }
  const arb_poly_struct* raw() const noexcept { return value_; }

 private:
  arb_poly_t value_;
};

/// Exact coefficients. Value type.
class RationalSeries {
 public:
  RationalSeries() noexcept { fmpq_poly_init(value_); }
  /// at + slope t.
  RationalSeries(const rigor::Rational& at, int slope);
  RationalSeries(const RationalSeries& other) : RationalSeries() { fmpq_poly_set(value_, other.value_); }
  RationalSeries(RationalSeries&& other) noexcept : RationalSeries() { fmpq_poly_swap(value_, other.value_); }
  RationalSeries& operator=(const RationalSeries& other) {
    if (this != &other) fmpq_poly_set(value_, other.value_);
    return *this;
  }
  RationalSeries& operator=(RationalSeries&& other) noexcept {
    fmpq_poly_swap(value_, other.value_);
    return *this;
  }
  ~RationalSeries() { fmpq_poly_clear(value_); }

  static std::optional<RationalSeries> constant(const rigor::Rational& number) { return RationalSeries(number, 0); }
  /// Of pi and of Euler's number: none.
  static std::optional<RationalSeries> constant(const rigor::Ball&) { return std::nullopt; }
  rigor::Rational coefficient(int k) const;

  fmpq_poly_struct* raw() noexcept { return value_; }
  const fmpq_poly_struct* raw() const noexcept { return value_; }

 private:
  fmpq_poly_t value_;
};

/// f(u), f(u, v) and u^exponent as series; nothing where f is not one of those known here, has a kink, or, for rational
/// numbers, has coefficients that are none. A coefficient that is not defined over the balls is not finite.
std::optional<BallSeries> apply(language::Unary f, const BallSeries& u);
std::optional<BallSeries> apply(language::Binary f, const BallSeries& u, const BallSeries& v);
std::optional<BallSeries> power(const BallSeries& u, const rigor::Rational& exponent);
std::optional<RationalSeries> apply(language::Unary f, const RationalSeries& u);
std::optional<RationalSeries> apply(language::Binary f, const RationalSeries& u, const RationalSeries& v);
std::optional<RationalSeries> power(const RationalSeries& u, const rigor::Rational& exponent);

}  // namespace attest::referee
