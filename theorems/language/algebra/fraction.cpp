#include "theorems/language/algebra/fraction.hpp"

#include <algorithm>
#include <vector>

namespace attest::language {

using rigor::Rational;

Ring::Ring(std::size_t variables, std::size_t most_terms, std::size_t term_products)
    : variables_(variables), most_terms_(most_terms), left_(term_products) {
  fmpq_mpoly_ctx_init(context_, static_cast<slong>(std::max<std::size_t>(variables, 1)), ORD_LEX);
}
Ring::~Ring() { fmpq_mpoly_ctx_clear(context_); }

void Ring::spend(std::size_t terms_a, std::size_t terms_b) const {
  if (terms_a != 0 && terms_b > left_ / terms_a) throw TooLarge();
  left_ -= terms_a * terms_b;
}
void Ring::check(std::size_t terms) const {
  if (terms > most_terms_) throw TooLarge();
}

Polynomial::Polynomial(const Ring& ring, const Rational& constant) : Polynomial(ring) {
  fmpq_mpoly_set_fmpq(value_, constant.raw(), ring.raw());
}

Polynomial Polynomial::variable(const Ring& ring, std::size_t number) {
  Polynomial result(ring);
  fmpq_mpoly_gen(result.value_, static_cast<slong>(number), ring.raw());
  return result;
}

Polynomial& Polynomial::operator=(const Polynomial& other) {
  if (this != &other) fmpq_mpoly_set(value_, other.value_, ring_->raw());
  return *this;
}

Polynomial operator+(const Polynomial& a, const Polynomial& b) {
  Polynomial result(*a.ring_);
  fmpq_mpoly_add(result.value_, a.value_, b.value_, a.ring_->raw());
  a.ring_->check(result.terms());
  return result;
}

Polynomial operator-(const Polynomial& a, const Polynomial& b) {
  Polynomial result(*a.ring_);
  fmpq_mpoly_sub(result.value_, a.value_, b.value_, a.ring_->raw());
  a.ring_->check(result.terms());
  return result;
}

Polynomial operator*(const Polynomial& a, const Polynomial& b) {
  a.ring_->spend(a.terms(), b.terms());
  Polynomial result(*a.ring_);
  fmpq_mpoly_mul(result.value_, a.value_, b.value_, a.ring_->raw());
  a.ring_->check(result.terms());
  return result;
}

Rational Polynomial::constant() const {
  Rational result;
  fmpq_mpoly_get_fmpq(result.raw(), value_, ring_->raw());
  return result;
}

std::pair<Rational, Polynomial> Polynomial::term(std::size_t number) const {
  std::pair<Rational, Polynomial> result{Rational(), Polynomial(*ring_)};
  fmpq_mpoly_get_term_coeff_fmpq(result.first.raw(), value_, static_cast<slong>(number), ring_->raw());
  fmpq_mpoly_get_term_monomial(result.second.value_, value_, static_cast<slong>(number), ring_->raw());
  return result;
}

Polynomial Polynomial::with_square(std::size_t variable, const Polynomial& top, const Polynomial& bottom,
                                   std::size_t& factors) const {
  std::vector<ulong> exponents(std::max<std::size_t>(ring_->variables(), 1));
  // Terms sorted by the power of the known square that they hold.
  std::vector<Polynomial> parts;
  for (slong t = 0; t < fmpq_mpoly_length(value_, ring_->raw()); ++t) {
    fmpq_mpoly_get_term_exp_ui(exponents.data(), value_, t, ring_->raw());
    const ulong squares = exponents[variable] / 2;
    exponents[variable] %= 2;
    while (parts.size() <= squares) parts.emplace_back(*ring_);
    Rational coefficient;
    fmpq_mpoly_get_term_coeff_fmpq(coefficient.raw(), value_, t, ring_->raw());
    fmpq_mpoly_push_term_fmpq_ui(parts[squares].value_, coefficient.raw(), exponents.data(), ring_->raw());
  }
  factors += parts.empty() ? 0 : parts.size() - 1;
  Polynomial result(*ring_), bottoms(*ring_, Rational(1));
  // Horner's rule from the highest power, each step one factor `bottom` behind.
  for (std::size_t k = parts.size(); k-- > 0;) {
    fmpq_mpoly_sort_terms(parts[k].value_, ring_->raw());
    fmpq_mpoly_combine_like_terms(parts[k].value_, ring_->raw());
    result = result * top + parts[k] * bottoms;
    bottoms = bottoms * bottom;
  }
  return result;
}

namespace {

/// Numerator and denominator without their common factor, where finding it is cheap.
void cancel(Polynomial& top, Polynomial& bottom) {
  if (bottom.is_constant()) return;
  const auto* ring = top.ring().raw();
  if (top.is_zero()) {
    bottom = Polynomial(top.ring(), Rational(1));
    return;
  }
  constexpr std::size_t most_terms = 2000;
  if (top.terms() > most_terms || bottom.terms() > most_terms) return;
  Polynomial factor(top.ring());
  if (fmpq_mpoly_gcd(factor.raw(), top.raw(), bottom.raw(), ring) == 0 || factor.is_constant()) return;
  fmpq_mpoly_divides(top.raw(), top.raw(), factor.raw(), ring);
  fmpq_mpoly_divides(bottom.raw(), bottom.raw(), factor.raw(), ring);
}

}  // namespace

Fraction::Fraction(Polynomial numerator, Polynomial denominator)
    : top(std::move(numerator)), bottom(std::move(denominator)) {
  if (bottom.is_zero()) throw std::domain_error("division by zero everywhere");
  cancel(top, bottom);
}

Fraction operator+(const Fraction& a, const Fraction& b) {
  if (a.bottom == b.bottom) return {a.top + b.top, a.bottom};
  return {a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom};
}
Fraction operator-(const Fraction& a, const Fraction& b) {
  if (a.bottom == b.bottom) return {a.top - b.top, a.bottom};
  return {a.top * b.bottom - b.top * a.bottom, a.bottom * b.bottom};
}
Fraction operator*(const Fraction& a, const Fraction& b) { return {a.top * b.top, a.bottom * b.bottom}; }
Fraction operator/(const Fraction& a, const Fraction& b) { return {a.top * b.bottom, a.bottom * b.top}; }

Fraction power(const Fraction& x, std::int64_t exponent) {
  if (exponent < 0) return power(Fraction(x.bottom, x.top), -exponent);
  Fraction result(x.top.ring(), Rational(1));
  Fraction square = x;
  for (std::int64_t rest = exponent; rest > 0; rest /= 2) {
    if (rest % 2 == 1) result = result * square;
    if (rest > 1) square = square * square;
  }
  return result;
}

Fraction with_square(const Fraction& x, std::size_t variable, const Fraction& square) {
  std::size_t above = 0, below = 0;
  Polynomial top = x.top.with_square(variable, square.top, square.bottom, above);
  Polynomial bottom = x.bottom.with_square(variable, square.top, square.bottom, below);
  for (; above < below; ++above) top = top * square.bottom;
  for (; below < above; ++below) bottom = bottom * square.bottom;
  return {std::move(top), std::move(bottom)};
}

Fraction determinant(const std::vector<Fraction>& a, std::size_t n) {
  const Fraction zero(a[0].top.ring());
  std::vector<Fraction> x = a;
  for (std::size_t step = 1; step < n; ++step) {
    // The upper triangle of x, its diagonal replaced by minus the sum of the entries of x further down.
    std::vector<Fraction> upper(n * n, zero);
    Fraction below = zero;
    for (std::size_t i = n; i-- > 0;) {
      upper[i * n + i] = zero - below;
      below = below + x[i * n + i];
      for (std::size_t j = i + 1; j < n; ++j) upper[i * n + j] = x[i * n + j];
    }
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        Fraction total = zero;
        for (std::size_t k = i; k < n; ++k) total = total + upper[i * n + k] * a[k * n + j];
        x[i * n + j] = std::move(total);
      }
  }
  return n % 2 == 1 ? x[0] : zero - x[0];
}

std::vector<Fraction> inverse(const std::vector<Fraction>& a, std::size_t n) {
  const Fraction whole = determinant(a, n), one(a[0].top.ring(), Rational(1)), zero(a[0].top.ring());
  if (n == 1) return {one / a[0]};
  std::vector<Fraction> result;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      std::vector<Fraction> rest;
      for (std::size_t r = 0; r < n; ++r)
        for (std::size_t c = 0; c < n; ++c)
          if (r != j && c != i) rest.push_back(a[r * n + c]);
      const Fraction minor = determinant(rest, n - 1);
      result.push_back(((i + j) % 2 == 0 ? minor : zero - minor) / whole);
    }
  return result;
}

std::optional<Rational> rational_root(const Rational& x) {
  if (x < Rational(0) || fmpz_is_square(fmpq_numref(x.raw())) == 0 || fmpz_is_square(fmpq_denref(x.raw())) == 0)
    return std::nullopt;
  Rational result;
  fmpz_sqrt(fmpq_numref(result.raw()), fmpq_numref(x.raw()));
  fmpz_sqrt(fmpq_denref(result.raw()), fmpq_denref(x.raw()));
  return result;
}

}  // namespace attest::language
