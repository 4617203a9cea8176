// Rational functions over the rationals in many variables (FLINT's fmpq_mpoly).
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "kernels/rigor/rational.hpp"

#if __has_include(<flint/fmpq_mpoly.h>)
#include <flint/fmpq_mpoly.h>
#else
#include <fmpq_mpoly.h>
#endif

namespace attest::language {

/// The polynomials outgrow what was allowed.
struct TooLarge : std::runtime_error {
  TooLarge() : std::runtime_error("the polynomials grow too large") {}
};

/// The ring that polynomials belong to, with a budget for their products.
class Ring {
 public:
  Ring(std::size_t variables, std::size_t most_terms, std::size_t term_products);
  ~Ring();
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;
  const fmpq_mpoly_ctx_struct* raw() const { return context_; }
  std::size_t variables() const { return variables_; }
  /// Errors: `TooLarge` once the products of terms, or the terms of one polynomial, are more than allowed.
  void spend(std::size_t terms_a, std::size_t terms_b) const;
  void check(std::size_t terms) const;

 private:
  fmpq_mpoly_ctx_t context_;
  std::size_t variables_, most_terms_;
  mutable std::size_t left_;
};

/// A polynomial; value type. All of an expression belong to one ring.
class Polynomial {
 public:
  explicit Polynomial(const Ring& ring) : ring_(&ring) { fmpq_mpoly_init(value_, ring.raw()); }
  Polynomial(const Ring& ring, const rigor::Rational& constant);
  /// The variable of this number.
  static Polynomial variable(const Ring& ring, std::size_t number);
  Polynomial(const Polynomial& other) : Polynomial(*other.ring_) { fmpq_mpoly_set(value_, other.value_, ring_->raw()); }
  Polynomial(Polynomial&& other) noexcept : Polynomial(*other.ring_) {
    fmpq_mpoly_swap(value_, other.value_, ring_->raw());
  }
  Polynomial& operator=(const Polynomial& other);
  Polynomial& operator=(Polynomial&& other) noexcept {
    fmpq_mpoly_swap(value_, other.value_, ring_->raw());
    return *this;
  }
  ~Polynomial() { fmpq_mpoly_clear(value_, ring_->raw()); }

  friend Polynomial operator+(const Polynomial& a, const Polynomial& b);
  friend Polynomial operator-(const Polynomial& a, const Polynomial& b);
  friend Polynomial operator*(const Polynomial& a, const Polynomial& b);
  friend bool operator==(const Polynomial& a, const Polynomial& b) {
    return fmpq_mpoly_equal(a.value_, b.value_, a.ring_->raw()) != 0;
  }

  bool is_zero() const { return fmpq_mpoly_is_zero(value_, ring_->raw()) != 0; }
  bool is_constant() const { return fmpq_mpoly_is_fmpq(value_, ring_->raw()) != 0; }
  /// Precondition: is_constant().
  rigor::Rational constant() const;
  std::size_t terms() const { return static_cast<std::size_t>(fmpq_mpoly_length(value_, ring_->raw())); }
  /// Coefficient and monomial of one term. Precondition: number < terms().
  std::pair<rigor::Rational, Polynomial> term(std::size_t number) const;
  /// bottom^m times this with variable^(2k) replaced by (top/bottom)^k, m the largest k: what is left of it when the
  /// square of a variable is known to be top/bottom. `m` is added to `factors`.
  Polynomial with_square(std::size_t variable, const Polynomial& top, const Polynomial& bottom,
                         std::size_t& factors) const;
  const Ring& ring() const { return *ring_; }
  fmpq_mpoly_struct* raw() { return value_; }
  const fmpq_mpoly_struct* raw() const { return value_; }

 private:
  const Ring* ring_;
  fmpq_mpoly_t value_;
};

/// top / bottom, bottom not the zero polynomial.
struct Fraction {
  Polynomial top, bottom;

  explicit Fraction(const Ring& ring) : top(ring), bottom(ring, rigor::Rational(1)) {}
  Fraction(const Ring& ring, const rigor::Rational& constant) : top(ring, constant), bottom(ring, rigor::Rational(1)) {}
  explicit Fraction(Polynomial numerator) : top(std::move(numerator)), bottom(top.ring(), rigor::Rational(1)) {}
  Fraction(Polynomial numerator, Polynomial denominator);

  friend Fraction operator+(const Fraction& a, const Fraction& b);
  friend Fraction operator-(const Fraction& a, const Fraction& b);
  friend Fraction operator*(const Fraction& a, const Fraction& b);
  /// Errors: std::domain_error where b is zero everywhere.
  friend Fraction operator/(const Fraction& a, const Fraction& b);
};

/// Errors: std::domain_error for a power below 0 of zero.
Fraction power(const Fraction& x, std::int64_t exponent);

/// The fraction with an even power of a variable replaced, whose square is known.
Fraction with_square(const Fraction& x, std::size_t variable, const Fraction& square);

/// Of an n x n matrix, without a division (Bird 2011), so that no pivot can be zero in disguise.
Fraction determinant(const std::vector<Fraction>& a, std::size_t n);
/// Cofactors over the determinant. Errors: std::domain_error where the determinant is zero everywhere.
std::vector<Fraction> inverse(const std::vector<Fraction>& a, std::size_t n);

/// sqrt(x) where it is rational.
std::optional<rigor::Rational> rational_root(const rigor::Rational& x);

}  // namespace attest::language
